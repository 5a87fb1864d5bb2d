import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Refund, Refunds } from '../../shared/api/money.ts';
import { queries } from '../../shared/api/queries.ts';
import { amount, instantInFull, instantParts, unbroken } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { NoWrap, Text } from '../../shared/ui/Text.tsx';
import { RefundDialog } from './RefundDialog.tsx';
import styles from './Refunds.module.css';

/** Maximum number of refunds in the card. The list of movements contains all. */
const SHOWN = 3;

const states = {
  pending: { tone: 'info', textKey: 'refund.pending' },
  sent: { tone: 'ok', textKey: 'refund.sent' },
  failed: { tone: 'warning', textKey: 'refund.returned' },
} as const satisfies Record<Refund['state'], { tone: 'info' | 'ok' | 'warning'; textKey: TextKey }>;

/**
 * Renders the refundable amount and the state of earlier refunds. Renders nothing for users who
 * never paid by card.
 */
export function RefundCard() {
  const { t } = useTranslation();
  const { data: offer } = useQuery(queries.refunds());
  const [open, setOpen] = useState(false);
  if (!offer || (offer.refundable === 0 && offer.too_late === 0 && offer.refunds.length === 0)) return null;
  const { refundable, too_late: late, currency } = offer;
  return (
    <Card as="section" aria-labelledby="refund-title" className={styles.card}>
      <CardHeader icon={<Icon of={Undo2} />} title={t('refund.title')} id="refund-title" />
      <CardBody>
        <Stack>
          {refundable > 0 ? <Offer offer={offer} onAsk={() => setOpen(true)} /> : <Text>{t('refund.nothing')}</Text>}
          {late > 0 && (
            <Text variant="small" color="secondary">
              {t('refund.late', { amount: amount(late), currency })}
            </Text>
          )}
          {offer.refunds.length > 0 && <Course refunds={offer.refunds.slice(0, SHOWN)} currency={currency} />}
        </Stack>
      </CardBody>
      {open && <RefundDialog offer={offer} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function Offer({ offer, onAsk }: { offer: Refunds; onAsk: () => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { refundable, currency, again_at: again } = offer;
  const until = offer.payments.map((payment) => payment.until).sort()[0];
  return (
    <div className={styles.offer}>
      <div className={styles.words}>
        <Text>{t('refund.can', { amount: amount(refundable), currency })}</Text>
        <Text variant="small" color="secondary">
          {again
            ? t('refund.again', { when: instantInFull(again, language) })
            : t('refund.until', { date: until ? unbroken(instantParts(until).date) : '' })}
        </Text>
      </div>
      <Button variant="secondary" size="small" disabled={again !== null} onClick={onAsk}>
        {t('refund.button')}
      </Button>
    </div>
  );
}

function Course({ refunds, currency }: { refunds: Refund[]; currency: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <ul aria-label={t('refund.course')} className={styles.course}>
      {refunds.map((refund) => (
        <li key={refund.id}>
          <NoWrap>{t('unit.cad', { amount: amount(refund.amount), currency })}</NoWrap>
          <Text as="span" variant="caption" color="secondary">
            {instantInFull(refund.at, language)}
          </Text>
          <Badge tone={states[refund.state].tone}>{t(states[refund.state].textKey)}</Badge>
        </li>
      ))}
    </ul>
  );
}

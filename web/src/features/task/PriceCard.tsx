import { Trash2, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { capability, capabilityWhile } from '../../parts/task/capabilities.ts';
import { useBilling } from '../../shared/api/billing.ts';
import type { DiscountLine } from '../../shared/api/money.ts';
import type { Task } from '../../shared/api/types.ts';
import { MASKED_AMOUNT } from '../../shared/format/maskedAmount.ts';
import { amount, instantParts, sentences } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { Part, Terms } from './Part.tsx';
import styles from './PriceCard.module.css';

const kinds: Record<DiscountLine['type'], TextKey> = {
  personal: 'task.discount_personal',
  group: 'task.discount_group',
  promo: 'task.discount_promo',
  referral: 'task.discount_referral',
};

function chipOf({ price }: Task): TextKey {
  if (price.captured > 0) return 'rail.paid';
  if (price.on_hold > 0) return 'rail.hold';
  return price.total === 0 ? 'rail.freeOfCharge' : 'rail.noHold';
}

function noteOf({ price, schedule_config }: Task): TextKey | null {
  if (price.captured > 0) return 'rail.pricePaid';
  if (price.on_hold > 0) return schedule_config.keep_current_appointment ? 'rail.priceHoldNotify' : 'rail.priceHold';
  return price.total === 0 ? null : 'rail.priceNone';
}

interface Props {
  task: Task;
  hidden: boolean;
  busy: boolean;
  onDelete: () => void;
}

/**
 * Renders the price and the amount on hold of a task, and the button that deletes the task. If the
 * server charges nothing, it renders only the button.
 */
export function PriceCard(props: Props) {
  const { t } = useTranslation();
  const billing = useBilling();
  if (billing) return <Price {...props} />;
  return (
    <Part icon={Trash2} title={t('rail.deleteTask')}>
      <Delete {...props}>{t('rail.deleteNothing')}</Delete>
    </Part>
  );
}

/** Renders the delete button, with the effect of a deletion. */
function Delete({ task, busy, onDelete, children }: Omit<Props, 'hidden'> & { children: ReactNode }) {
  const { t } = useTranslation();
  const canRemove = capabilityWhile(busy, task, 'delete').allowed;
  // During a countdown no reason is shown, because an additional line would move the page.
  const { why } = capability(task, 'delete');
  return (
    <div className={styles.foot}>
      <Text as="span" variant="caption" color="secondary" className={styles.returns}>
        {children}
        {why && <span className={styles.why}>{t(why)}</span>}
      </Text>
      <Button
        variant="dangerText"
        size="small"
        disabled={!canRemove}
        onClick={onDelete}
        start={<Icon of={Trash2} size={16} />}
        className={styles.delete}
      >
        {t('rail.deleteTask')}
      </Button>
    </div>
  );
}

function Price({ task, hidden, busy, onDelete }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { price } = task;
  const paidUntil = price.entitled_until && instantParts(price.entitled_until).date;
  const written = (value: number) => (hidden ? MASKED_AMOUNT : amount(value));
  const money = (value: number) => t('unit.cad', { amount: written(value), currency: price.currency });
  const original = price.original_unit_price > price.unit_price ? price.original_unit_price : null;
  const note = noteOf(task);
  const rows = [
    {
      term: t('rail.unit'),
      value: (
        <>
          {money(price.unit_price)}
          {original !== null && <s className={styles.original}>{written(original)}</s>}
        </>
      ),
    },
    ...price.discount_lines.map((line) => ({ term: t(kinds[line.type]), value: `−${written(line.amount)}` })),
    { term: t('rail.people'), value: `× ${price.applicants_count}` },
    { term: t('rail.total'), value: <b>{money(price.total)}</b> },
    ...(price.captured > 0 && price.captured_at
      ? [
          {
            term: t('rail.captured'),
            value: t('rail.capturedOn', {
              amount: written(price.captured),
              currency: price.currency,
              date: instantParts(price.captured_at).date,
            }),
          },
        ]
      : []),
    ...(price.unpaid_remainder > 0 ? [{ term: t('rail.unpaid'), value: money(price.unpaid_remainder) }] : []),
  ];
  return (
    <Part
      icon={Wallet}
      title={t('rail.price')}
      mark={<Badge tone="line">{t(chipOf(task))}</Badge>}
      foot={
        <Delete task={task} busy={busy} onDelete={onDelete}>
          {price.on_hold > 0
            ? t('rail.deleteReturns', { amount: written(price.on_hold), currency: price.currency })
            : t('rail.deleteNothing')}
        </Delete>
      }
    >
      <Terms rows={rows} />
      <Text variant="caption" color="secondary" className={styles.note}>
        {sentences([note && t(note), paidUntil && t('rail.entitled', { date: paidUntil })], language)}
      </Text>
    </Part>
  );
}

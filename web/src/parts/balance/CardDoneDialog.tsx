import { useTranslation } from 'react-i18next';
import type { CardPayment } from '../../shared/api/money.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Illustration } from '../../shared/ui/Illustration.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';

/**
 * Renders the dialog after a card payment, which states whether the payment is already credited.
 */
export function CardDoneDialog({ payment, onClose }: { payment: CardPayment; onClose: () => void }) {
  const { t } = useTranslation();
  const currency = payment.currency.toUpperCase();
  return (
    <Dialog open onClose={onClose} title={t('card.done')} actions={<Button onClick={onClose}>{t('topup.close')}</Button>}>
      <Stack gap={2}>
        <Illustration name="done" width={152} />
        <Text variant="figureLg">{t('topup.added', { amount: amount(payment.amount), currency })}</Text>
        <Text variant="small" color="secondary">
          {payment.credited ? t('card.doneText', { amount: amount(payment.amount), currency }) : t('card.doneSoon')}
        </Text>
      </Stack>
    </Dialog>
  );
}

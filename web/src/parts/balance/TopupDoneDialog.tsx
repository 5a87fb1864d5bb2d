import { useTranslation } from 'react-i18next';
import type { TopupResult } from '../../shared/api/types.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Illustration } from '../../shared/ui/Illustration.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';

/** Renders the dialog after a top-up by code: the added amount and the new balance. */
export function TopupDoneDialog({ result, onClose }: { result: TopupResult; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} title={t('topup.done')} actions={<Button onClick={onClose}>{t('topup.close')}</Button>}>
      <Stack gap={2}>
        <Illustration name="done" width={152} />
        <Text variant="figureLg">{t('topup.added', { amount: amount(result.amount), currency: result.currency })}</Text>
        <Text variant="small" color="secondary" tabular>
          {t('topup.balance', {
            before: amount(result.balance_before),
            after: amount(result.balance_after),
            currency: result.currency,
          })}
        </Text>
      </Stack>
    </Dialog>
  );
}

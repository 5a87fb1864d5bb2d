import { useTranslation } from 'react-i18next';
import type { Cost } from '../../shared/api/pricing.ts';
import { amount } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { CostBreakdown } from './CostBreakdown.tsx';
import styles from './dialogs.module.css';

interface Props {
  /** Total that the page showed before, or undefined if it showed none. */
  before: number | undefined;
  cost: Cost;
  names: Record<string, string>;
  /** Label of the accepting button, if the action is not a submission. */
  confirmText?: TextKey;
  onConfirm: () => void;
  onClose: () => void;
}

/**
 * Renders the dialog for a price that changed while the page was open, with the old and the new
 * total. The user must accept the new one.
 */
export function PriceChangedDialog({ before, cost, names, confirmText = 'submit.agreeNewPrice', onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const { currency } = cost;
  const actions = (
    <>
      <Button variant="ghost" onClick={onClose}>
        {t('editor.cancel')}
      </Button>
      <Button onClick={onConfirm}>{t(confirmText) as string}</Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={t('submit.priceChanged')} actions={actions}>
      <Stack>
        <Text variant="small">{t('submit.priceChangedText')}</Text>
        {before !== undefined && (
          <dl className={styles.prices}>
            <div>
              <dt>{t('submit.priceBefore')}</dt>
              <dd className={styles.old}>
                <s>{t('unit.cad', { amount: amount(before), currency })}</s>
              </dd>
            </div>
            <div>
              <dt>{t('submit.priceNow')}</dt>
              <dd>{t('unit.cad', { amount: amount(cost.total_amount), currency })}</dd>
            </div>
          </dl>
        )}
        <CostBreakdown cost={cost} names={names} />
      </Stack>
    </Dialog>
  );
}

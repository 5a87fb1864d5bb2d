import { useTranslation } from 'react-i18next';
import { TopupPanel } from '../../parts/balance/TopupPanel.tsx';
import type { Driven, TopUpDraft } from '../../parts/balance/topUp.ts';
import type { CodeState } from '../../parts/balance/useCodeCheck.ts';
import { recommendedTopUp } from '../../shared/api/pricing.ts';
import { amount } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import styles from './StepConfirm.module.css';

const unready: Record<CodeState, TextKey | null> = {
  empty: 'confirm.codeNeeded',
  short: 'confirm.codeShort',
  checking: 'confirm.codeChecking',
  invalid: 'confirm.codeInvalid',
  valid: null,
  unsure: null,
  throttled: null,
};

/** Returns why the top-up cannot start yet, or null. */
export function topUpTexts(draft: TopUpDraft): TextKey | null {
  if (draft.way === 'code') return unready[draft.state];
  if (draft.way === 'wallet') return 'confirm.walletFirst';
  return draft.amount === null ? 'confirm.amountNeeded' : null;
}

/**
 * Returns a function that formats the label of the step's button, which depends on the missing
 * amount.
 */
export function useActionTexts() {
  const { t } = useTranslation();
  return (draft: TopUpDraft, missing: number, currency: string) => {
    if (draft.way === 'code') return t('submit.redeem');
    if (draft.way === 'wallet') return t('submit.button');
    if (draft.amount === null) return t('submit.payPlain');
    const values = { amount: amount(draft.amount), currency };
    return draft.amount >= missing ? t('submit.pay', values) : t('card.pay', values);
  };
}

interface Props {
  missing: number;
  available: number;
  currency: string;
  unitPrice: number;
  /** True if a top-up succeeded but does not suffice. */
  added: boolean;
  driven: Driven;
}

/**
 * Renders the payment methods for the missing amount. The button of the step tops up and then
 * submits.
 */
export function StepTopUp({ missing, available, currency, unitPrice, added, driven }: Props) {
  const { t } = useTranslation();
  const values = { missing: amount(missing), available: amount(available), currency };
  return (
    <>
      {missing > 0 && (
        <Alert tone="warning" live="status">
          {t(added ? 'submit.stillShort' : 'submit.foreseen', values)}
        </Alert>
      )}
      <div className={styles.topUp}>
        <TopupPanel suggested={missing > 0 ? recommendedTopUp(missing) : undefined} driven={{ ...driven, missing, unitPrice }} />
      </div>
    </>
  );
}

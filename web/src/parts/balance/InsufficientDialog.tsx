import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Cost, cents, recommendedTopUp, type Shortage } from '../../shared/api/pricing.ts';
import { queries } from '../../shared/api/queries.ts';
import { amount } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { BalanceCard } from './BalanceCard.tsx';
import { CostBreakdown } from './CostBreakdown.tsx';
import styles from './dialogs.module.css';

interface Props {
  shortage: Shortage;
  cost: Cost | null;
  names: Record<string, string>;
  onClose: () => void;
  /** Label of the button that continues the interrupted action. */
  action?: TextKey;
  onResume: () => void;
}

/**
 * Renders the dialog for a balance that is too low: the missing amount, a suggested top-up, and the
 * top-up forms. Once the balance suffices, a button continues the interrupted action.
 */
export function InsufficientDialog({ shortage, cost, names, onClose, action = 'submit.goOn', onResume }: Props) {
  const { t } = useTranslation();
  const { data: credit } = useQuery(queries.credit());
  const { currency, required_amount } = shortage;
  // True after a sufficient top-up. The dialog knows this before the balance is reloaded.
  const [covered, setCovered] = useState(false);
  const available = Math.max(shortage.available_amount, credit?.credit ?? 0);
  const missing = covered ? 0 : Math.max(0, cents(required_amount - available));
  const continueButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Moves the focus to the button that continues.
    if (covered) continueButton.current?.focus();
  }, [covered]);
  const actions = (
    <>
      <Button variant="ghost" onClick={onClose}>
        {t('submit.later')}
      </Button>
      {missing === 0 && (
        <Button ref={continueButton} onClick={onResume}>
          {t(action)}
        </Button>
      )}
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      size="medium"
      fullOnPhone
      title={t(missing > 0 ? 'problem.insufficient' : 'submit.coveredTitle')}
      actions={actions}
    >
      <Stack>
        <Text variant="small" role="status">
          {missing > 0
            ? t('submit.insufficientText', {
                required: amount(required_amount),
                available: amount(available),
                missing: amount(missing),
                currency,
              })
            : t('submit.covered')}
        </Text>
        {cost && <CostBreakdown cost={cost} names={names} />}
        {missing > 0 && (
          <p className={styles.recommended}>
            {t('submit.recommended', { amount: amount(recommendedTopUp(missing)), minimum: amount(missing), currency })}
          </p>
        )}
        <BalanceCard
          id="balance-short"
          suggested={missing > 0 ? recommendedTopUp(missing) : undefined}
          onCredited={(after) => setCovered(after >= required_amount)}
        />
      </Stack>
    </Dialog>
  );
}

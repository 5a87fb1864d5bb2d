import { useTranslation } from 'react-i18next';
import { EstimateNotice } from '../../parts/balance/EstimateNotice.tsx';
import { Section } from '../../parts/criteria/Section.tsx';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { StepCode } from './StepCode.tsx';
import styles from './StepConfirm.module.css';
import { StepTopUp } from './StepTopUp.tsx';
import type { Confirmation } from './useConfirm.ts';

interface Props {
  confirm: Confirmation;
  notifyOnly: boolean;
}

/**
 * Renders the payment section of step 3: what is charged and when, and the top-up methods if the
 * balance is too low.
 */
export function ConfirmPayment({ confirm, notifyOnly }: Props) {
  const { t } = useTranslation();
  const { price, asking, askAgain, payment, setCode, obstacle, ready, start } = confirm;
  return (
    <Section title={t('confirm.payment')}>
      <div className={styles.consent}>
        <Text variant="caption" color="tertiary">
          {t(notifyOnly ? 'confirm.feeNoteNotify' : 'confirm.feeNote')}
        </Text>
        {price?.estimate && <EstimateNotice onRetry={askAgain} retrying={asking} />}
        {payment.paysHere && price ? (
          <StepTopUp
            missing={payment.missing}
            available={payment.available}
            currency={price.currency}
            unitPrice={price.unit_price}
            added={payment.added}
            driven={{ ref: payment.topUp, onDraft: payment.setDraft, onEnter: () => ready && start() }}
          />
        ) : (
          <StepCode onState={setCode} />
        )}
        {obstacle && (
          <Alert tone="warning" live="alert">
            {t(obstacle)}
          </Alert>
        )}
      </div>
    </Section>
  );
}

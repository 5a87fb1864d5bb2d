import { useTranslation } from 'react-i18next';
import { bounds } from '../../shared/api/bounds.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Inset } from '../../shared/ui/Card.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './sums.module.css';

/** Below this balance after a charge the next task may not be covered. */
const LOW = bounds.Credit.credit.low.afterCharge;

interface Props {
  before: number;
  after: number;
  currency: string;
  /** Before the submit: shows the expected result. */
  rehearsal?: boolean;
}

/**
 * Renders the available balance before and after a charge, and a line if little is left. Before the
 * submit the line is a warning, after it a plain sentence. A missing amount is still to be paid.
 */
export function AfterCharge({ before, after, currency, rehearsal = false }: Props) {
  const { t } = useTranslation();
  const short = after < 0;
  const low = !short && after < before && after < LOW;
  return (
    <>
      <Inset>
        <dl className={styles.pairs}>
          <dt>{rehearsal ? t('cost.available') : t('cost.before')}</dt>
          <dd>{amount(before)}</dd>
          <dt>{!rehearsal ? t('cost.after') : short ? t('cost.toPay') : t('cost.left')}</dt>
          <dd className={classes(short && styles.toPay)}>{amount(Math.abs(after))}</dd>
        </dl>
      </Inset>
      {low && rehearsal && <Alert tone="warning">{t('cost.lowAfter', { amount: amount(LOW), currency })}</Alert>}
      {low && !rehearsal && (
        <Text variant="small" color="secondary">
          {t('cost.lowNow', { amount: amount(after), currency })}
        </Text>
      )}
    </>
  );
}

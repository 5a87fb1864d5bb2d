import { useTranslation } from 'react-i18next';
import { bounds } from '../../shared/api/bounds.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Inset } from '../../shared/ui/Card.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { signed } from './movements.ts';
import styles from './sums.module.css';

/** Below this after a charge the next task may not be covered. */
const LOW = bounds.Credit.credit.low.afterCharge;

interface Props {
  before: number;
  after: number;
  currency: string;
  /** Before the submit: what it would leave. */
  rehearsal?: boolean;
}

/** The available balance before and after a charge, with a warning when it leaves little. */
export function AfterCharge({ before, after, currency, rehearsal = false }: Props) {
  const { t } = useTranslation();
  const short = after < 0;
  return (
    <>
      <Inset>
        <dl className={styles.pairs}>
          <dt>{rehearsal ? t('cost.available') : t('cost.before')}</dt>
          <dd>{amount(before)}</dd>
          <dt>{rehearsal ? t('cost.left') : t('cost.after')}</dt>
          <dd className={classes(short && styles.short)}>{short ? signed(after, amount) : amount(after)}</dd>
        </dl>
      </Inset>
      {!short && after < before && after < LOW && (
        <Alert tone="warning">{t('cost.lowAfter', { amount: amount(LOW), currency })}</Alert>
      )}
    </>
  );
}

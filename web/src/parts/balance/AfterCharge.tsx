import { useTranslation } from 'react-i18next';
import * as bounds from '../../shared/api/bounds.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Inset } from '../../shared/ui/Card.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './sums.module.css';

/** Balance below which a note appears, because the next task may not be affordable. */
const LOW = bounds.Credit.credit.low.afterCharge;

interface Props {
  before: number;
  after: number;
  currency: string;
  /** True before the submission: shows the expected result. */
  rehearsal?: boolean;
}

/**
 * Renders the available balance before and after a charge, with a note if little remains. Before
 * the submission the note is a warning. If the balance does not suffice, it shows the missing
 * amount.
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

import { TriangleAlert } from 'lucide-react';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import * as bounds from '../../shared/api/bounds.ts';
import type { Credit } from '../../shared/api/types.ts';
import { MASKED_AMOUNT } from '../../shared/format/maskedAmount.ts';
import { useAnyHidden } from '../../shared/hooks/useAnyHidden.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Badge } from '../../shared/ui/Badge.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './balance.module.css';
import { useJustCharged } from './lastCharge.ts';

const LOW = bounds.Credit.credit.low.balance;

/** Returns the custom property for the share of a bar. */
const part = (value: number) => ({ '--part': value }) as CSSProperties;

/**
 * Renders the available balance, and a bar with the available amount and the amount on hold. A
 * hatched pattern always means "not charged yet".
 */
export function BalanceFigure({ credit }: { credit: Credit }) {
  const { t } = useTranslation();
  const nothing = credit.credit + credit.on_hold <= 0;
  // A new account has no money yet, so it gets no warning.
  const low = credit.credit < LOW && !nothing;
  // Soon after a submission a low balance is expected, so the card shows no warning.
  const submitted = useJustCharged();
  const hidden = useAnyHidden();
  const shown = (value: number) => (hidden ? MASKED_AMOUNT : amount(value));
  return (
    <>
      <div>
        <div className={styles.figure}>
          <div>
            <Text variant="caption" color="secondary">
              {t('balance.available')}
            </Text>
            <Text variant="figureMd" className={styles.amount}>
              {shown(credit.credit)} <small className={styles.currency}>{credit.currency}</small>
            </Text>
          </div>
          {low && (
            <Badge tone={submitted ? 'quiet' : 'warning'} icon={submitted ? undefined : TriangleAlert}>
              {t('balance.low')}
            </Badge>
          )}
        </div>
        {!hidden && (
          <div aria-hidden="true" className={styles.bar}>
            {nothing && <i className={styles.none} />}
            {credit.credit > 0 && <i className={styles.free} style={part(credit.credit)} />}
            {credit.on_hold > 0 && <i className={styles.held} style={part(credit.on_hold)} />}
          </div>
        )}
        {credit.on_hold > 0 && (
          <div className={styles.legend}>
            <span>
              <i className={classes(styles.sample, styles.held)} />
              {t('balance.onHold', { amount: shown(credit.on_hold) })}
            </span>
          </div>
        )}
      </div>
      {nothing && <Alert tone="quiet">{t('balance.zeroText')}</Alert>}
      {low && (
        <Alert tone={submitted ? 'quiet' : 'warning'}>
          {credit.credit > 0 ? t('balance.lowText', { currency: credit.currency }) : t('balance.zeroText')}
        </Alert>
      )}
    </>
  );
}

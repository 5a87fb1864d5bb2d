import { ArrowLeftRight, Check, Lock, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { useLifeLimit } from '../../shared/format/useLifeLimit.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './LeftCard.module.css';
import { Part } from './Part.tsx';
import { pips } from './pips.ts';

const icons = { free: Check, kept: Lock, used: X } as const;
const texts = { free: 'rail.free', kept: 'rail.kept', used: 'rail.used' } as const;
/** Maximum number of dots that have labels. With more dots the labels do not fit. */
const MOST_NAMED = 4;

/**
 * Renders the reschedules that the site still permits, one dot each. The last one, or all if they
 * are for life, are reserved unless the user consents. A task that only notifies uses none.
 */
export function LeftCard({ task }: { task: Task }) {
  const { t } = useTranslation();
  const params = task.schedule_config.search_params;
  const left = task.attempts_left;
  const consent = params.last_attempt_until;
  const lifeLimit = useLifeLimit(task.country_code);
  const isForLife = typeof lifeLimit === 'number';
  const used = task.success_history.filter((move) => move.fromDate !== null).length;
  const all = pips(left, used, Boolean(consent), isForLife);
  const free = all.filter((pip) => pip === 'free').length;
  const byHand = task.schedule_config.keep_current_appointment;
  const ofLimit = isForLife
    ? consent
      ? t('rail.leftLifeConsent', { date: consent })
      : t('rail.leftLife')
    : consent
      ? t('rail.leftConsent', { date: consent })
      : t('rail.leftText');
  const unknown = [t('rail.leftUnknown'), ...(isForLife && !byHand ? [ofLimit] : [])].join(' ');
  const note = left === null ? unknown : left === 0 ? t('rail.noneLeft') : byHand ? t('rail.leftNotify') : ofLimit;
  return (
    <Part
      icon={ArrowLeftRight}
      title={t('rail.left')}
      mark={
        left !== null && (
          <Text as="b" variant="figureMd">
            {left}
          </Text>
        )
      }
    >
      {all.length > 0 && !byHand && (
        <div
          role="img"
          aria-label={t('rail.saysLeft', { count: left ?? 0, free, kept: (left ?? 0) - free })}
          className={styles.pips}
        >
          {all.map((pip, index) => (
            <span key={index} className={classes(styles.pip, styles[pip])}>
              <Icon of={icons[pip]} size={14} />
              {all.length <= MOST_NAMED && t(texts[pip])}
            </span>
          ))}
        </div>
      )}
      <Text variant="caption" color="secondary">
        {note} {left !== null && left > 0 && !byHand && t('rail.leftOurs', { count: params.max_reschedules })}
      </Text>
    </Part>
  );
}

import { useTranslation } from 'react-i18next';
import type { OwnAction } from '../../parts/task/conditionParts.tsx';
import { TaskDateLine } from '../../parts/task/TaskDateLine.tsx';
import { earlierDates, gainedDays } from '../../parts/task/taskView.ts';
import type { SeenCalendar, Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useAgo } from '../../shared/hooks/useAgo.ts';
import { clock, count, inOnePiece, instantClock, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Card } from '../../shared/ui/Card.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Text } from '../../shared/ui/Text.tsx';
import { ConditionBlock } from './ConditionBlock.tsx';
import styles from './TaskSummary.module.css';

interface Props {
  task: Task;
  calendar: SeenCalendar | undefined;
  hidden: boolean;
  busy: boolean;
  onAction: (action: OwnAction) => void;
}

/**
 * Renders the first card of the page: the condition, the date line, and four numbers with
 * explanations.
 */
export function TaskSummary({ task, calendar, hidden, busy, onAction }: Props) {
  const { t } = useTranslation();
  return (
    <Card as="section" aria-label={t('detail.now')} className={styles.card}>
      <ConditionBlock task={task} hidden={hidden} busy={busy} onAction={onAction} />
      <div className={styles.line}>
        <TaskDateLine task={task} />
      </div>
      <Figures task={task} calendar={calendar} />
    </Card>
  );
}

function Figures({ task, calendar }: { task: Task; calendar: SeenCalendar | undefined }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const ago = useAgo();
  const first = task.appointments[0];
  const best = task.earliest_seen;
  const gained = gainedDays(task);
  const looked = task.engine.last_check_at;
  const seen = calendar?.cities.flatMap((city) => city.days) ?? [];
  const fingerprints = first?.fingerprints;
  const fingerprintCity = language === 'zh' ? fingerprints?.city_zh : fingerprints?.city;
  const at = (city: string | undefined, time: string | null | undefined) =>
    [city, time && clock(time, language)].filter(Boolean).join(' ');
  const fitting = seen.filter((day) => day.wanted).length;
  const figures = [
    {
      label: t('detail.present'),
      value: first?.appointment_date ?? t('task.notAvailable'),
      unit: null,
      note: first?.appointment_date ? at(cityName(first.facility), first.appointment_time) : t('detail.noPresent'),
      second:
        fingerprints &&
        t('unit.fingerprints', { at: `${unbroken(fingerprints.date)} ${at(fingerprintCity, fingerprints.time)}` }),
    },
    // After a booking the card shows the days gained. The earliest seen date would usually be the
    // booked date.
    gained === null
      ? {
          label: t('detail.best'),
          value: best?.date ?? t('task.notAvailable'),
          unit: null,
          note: best
            ? [cityName(best.facility), inOnePiece(ago(best.seen_at))].join(t('dateline.comma'))
            : t('detail.nothingSeen'),
        }
      : {
          label: t('detail.saved'),
          value: count(gained),
          unit: t('detail.days', { count: gained }),
          note: t('detail.savedSince', { date: unbroken(earlierDates(task)[0] ?? '') }),
        },
    {
      label: t('detail.checks'),
      value: count(task.engine.checks),
      unit: null,
      note: looked ? t('detail.lastLook', { when: instantClock(looked, language) }) : t('detail.noLook'),
    },
    {
      label: t('detail.seen'),
      value: count(calendar ? seen.length : task.engine.slots_seen),
      unit: t('detail.dates', { count: calendar ? seen.length : task.engine.slots_seen }),
      note:
        seen.length === 0 ? t('detail.nothingSeen') : fitting > 0 ? t('detail.fits', { count: fitting }) : t('detail.fitsNone'),
    },
  ];
  return (
    <dl className={styles.figures}>
      {figures.map((figure) => (
        <div key={figure.label}>
          <Text as="dt" variant="caption" color="secondary">
            {figure.label}
          </Text>
          <dd className={classes(styles.value, figure.value === t('task.notAvailable') && styles.missing)}>
            {figure.value}
            {figure.unit && <small className={styles.unit}> {figure.unit}</small>}
          </dd>
          <dd className={styles.note}>{figure.note}</dd>
          {figure.second && <dd className={styles.note}>{figure.second}</dd>}
        </div>
      ))}
    </dl>
  );
}

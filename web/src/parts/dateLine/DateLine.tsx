import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { type CivilDate, daysBetween } from '../../shared/format/dates.ts';
import { monthName } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { CountUp } from './CountUp.tsx';
import styles from './DateLine.module.css';
import { type DateLineFacts, layoutDateLine } from './dateLine.ts';
import { Arc, Label, Marker, Month, Span, Tick } from './marks.tsx';
import { useDateLineSentence } from './useDateLineSentence.ts';
import { useLabels } from './useLabels.ts';

interface Props extends DateLineFacts {
  /** Number of days in the window, or null while its dates are invalid. */
  windowDays?: number | null;
  /**
   * Date of the appointment before the last booking, if that booking is to be animated. The bracket
   * grows from it, and the days count up.
   */
  drawnFrom?: CivilDate | null;
}

/**
 * Renders the date line: the time from today (left) to the present appointment (right), with the
 * window, excluded dates, seen dates and bookings. Screen readers get one image with a sentence.
 */
export function DateLine({ windowDays, drawnFrom = null, ...facts }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sentence = useDateLineSentence(facts);
  const line = layoutDateLine(facts);
  const window = facts.window ? line.span(facts.window) : null;
  const moved = line.gainedDays !== null && Boolean(facts.present);
  const best = facts.best && !moved ? { date: facts.best, left: line.at(facts.best) } : null;
  const presentLeft = facts.present ? line.at(facts.present) : null;
  const gained = line.gainedDays ?? 0;
  const drawn = moved && drawnFrom && facts.present ? daysBetween(facts.present, drawnFrom) : null;
  const from = drawn !== null && drawnFrom ? line.at(drawnFrom) : null;
  const says = (count: number) => t('dateline.gained', { count });
  const { labels, hidden, room } = useLabels(facts, line, { moved, windowDays: best ? undefined : windowDays });
  return (
    <div role="img" aria-label={sentence} className={styles.root} style={room as CSSProperties}>
      <div className={styles.line}>
        {window && <Span kind="window" {...window} />}
        {facts.excluded?.map((range) => {
          const span = line.span(range);
          return span && <Span key={range.start} kind="excluded" {...span} />;
        })}
        {!moved && facts.seen?.map((slot) => <Tick key={slot.date} left={line.at(slot.date)} wanted={slot.wanted} />)}
        {moved && presentLeft !== null && facts.earlierDates?.[0] && (
          <Arc left={presentLeft} right={line.at(facts.earlierDates[0])} from={from}>
            {drawn === null ? says(gained) : <CountUp from={gained - drawn} to={gained} says={says} />}
          </Arc>
        )}
        <Marker kind="today" left={0} />
        {moved && facts.earlierDates?.map((date) => <Marker key={date} kind="old" left={line.at(date)} />)}
        {best && <Marker kind="best" left={best.left} />}
        {facts.others?.map((date) => (
          <Marker key={date} kind="present" left={line.at(date)} />
        ))}
        {presentLeft !== null && <Marker key="present" kind={moved ? 'new' : 'present'} left={presentLeft} from={from} />}
        {labels.map((label) => (
          <Label
            key={label.key}
            left={label.left}
            top={label.top}
            strong={moved && label.key === 'present'}
            struck={label.key === 'earlier'}
          >
            {label.caption} <b>{label.value}</b>
          </Label>
        ))}
        {line.months
          .filter((month) => !hidden.has(month.date))
          .map((month) => (
            <Month key={month.date} left={month.left}>
              {month.date.slice(5, 7) === '01'
                ? t('dateline.year', { year: month.date.slice(0, 4) })
                : monthName(month.date, language)}
            </Month>
          ))}
      </div>
    </div>
  );
}

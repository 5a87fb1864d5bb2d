import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { monthName } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/useLanguage.ts';
import { type DateLineFacts, layoutDateLine } from '../../lib/dateLine.ts';
import { Arc, Label, Marker, Month, Span, Tick } from './marks.tsx';
import { useDateLineSentence } from './useDateLineSentence.ts';

const hatch = 'repeating-linear-gradient(115deg, var(--mui-palette-background-paper) 0 2px, transparent 2px 5px)';

/** Best labels near the ends would meet their neighbours: those drop below the line. */
const inTheMiddle = (left: number) => left > 22 && left < 66;

/**
 * The signature: time from today (left) to the present appointment (right), with the window, excluded days, dates seen and moves.
 * For a screen reader it is one picture with a full sentence.
 */
export function DateLine({ windowLabel, ...facts }: DateLineFacts & { windowLabel?: ReactNode }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sentence = useDateLineSentence(facts);
  const line = layoutDateLine(facts);
  const window = facts.window ? line.span(facts.window) : null;
  const moved = line.gainedDays !== null && facts.present;
  const best = facts.best && !moved ? { date: facts.best, left: line.at(facts.best) } : null;
  const bestBelow = best !== null && !inTheMiddle(best.left);
  const presentLeft = facts.present ? line.at(facts.present) : null;
  return (
    <Box role="img" aria-label={sentence} sx={{ position: 'relative', p: moved ? '50px 7px 22px' : '26px 7px 22px' }}>
      <Box
        sx={{
          position: 'relative',
          height: 8,
          borderRadius: '4px',
          bgcolor: 'background.track',
          '& > *': { position: 'absolute' },
        }}
      >
        {window && <Span {...window} sx={{ bgcolor: 'primary.soft2', borderRadius: '4px' }} />}
        {facts.excluded?.map((range) => {
          const span = line.span(range);
          return span && <Span key={range.start} {...span} sx={{ backgroundImage: hatch }} />;
        })}
        {!moved && facts.seen?.map((slot) => <Tick key={slot.date} left={line.at(slot.date)} wanted={slot.wanted} />)}
        {moved && presentLeft !== null && <Arc left={presentLeft}>{t('dateline.gained', { count: line.gainedDays ?? 0 })}</Arc>}
        <Marker kind="today" left={0} />
        {moved && facts.earlierDates?.map((date) => <Marker key={date} kind="old" left={line.at(date)} />)}
        {best && <Marker kind="best" left={best.left} />}
        {presentLeft !== null && <Marker key="present" kind={moved ? 'new' : 'present'} left={presentLeft} />}
        {!moved && (
          <Label left={0} top={-26}>
            {t('dateline.today')}
          </Label>
        )}
        {windowLabel && !best && window && (
          <Label left={window.left + window.width / 2} top={-26}>
            {windowLabel}
          </Label>
        )}
        {best && (
          <Label left={best.left} top={bestBelow ? 14 : -26} phoneBelow>
            {t('dateline.best')} <b>{best.date}</b>
          </Label>
        )}
        {facts.present && presentLeft !== null && (
          <Label left={presentLeft} top={moved ? -50 : -26} strong={Boolean(moved)}>
            {!moved && t('dateline.present')} <b>{facts.present}</b>
          </Label>
        )}
        {moved && facts.earlierDates?.[0] && (
          <Label left={line.at(facts.earlierDates[0])} top={-50} struck>
            {facts.earlierDates[0]}
          </Label>
        )}
        {line.months
          .filter((month) => !bestBelow || Math.abs(month.left - (best?.left ?? 0)) > 18)
          .map((month) => (
            <Month key={month.date} left={month.left}>
              {month.date.slice(5, 7) === '01'
                ? t('dateline.year', { year: month.date.slice(0, 4) })
                : monthName(month.date, language)}
            </Month>
          ))}
      </Box>
    </Box>
  );
}

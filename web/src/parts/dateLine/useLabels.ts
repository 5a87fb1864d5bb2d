import { useTranslation } from 'react-i18next';
import { monthName } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { DateLineFacts, DateLineLayout } from './dateLine.ts';
import { type LabelRow, type LineLabel, labelStretch, placeLabels, textWidthPx } from './labelRows.ts';

/** Approximate minimum width of the line on a phone, and from 600 px up. */
const PHONE_PX = 270;
const WIDE_PX = 390;
const ROW_PX = 20;

interface Shown {
  key: string;
  left: number;
  word: string;
  value: string;
  top: { xs: number; sm: number };
}

type Wanted = Omit<Shown, 'top'> & Pick<LineLabel, 'rows'> & { phoneRows?: LabelRow[] };

/**
 * Returns the labels of a date line with their rows, the remaining months, and the height of the
 * rows.
 */
export function useLabels(
  facts: DateLineFacts,
  line: DateLineLayout,
  { moved, windowDays }: { moved: boolean; windowDays: number | null | undefined },
): { labels: Shown[]; hidden: ReadonlySet<string>; room: Record<`--${string}`, string> } {
  const { t } = useTranslation();
  const language = useLanguage();
  const span = facts.window ? line.span(facts.window) : null;
  const earlier = facts.earlierDates?.[0];
  const wanted: Wanted[] = [];
  if (facts.present)
    wanted.push({
      key: 'present',
      left: line.at(facts.present),
      word: moved ? '' : t('dateline.present'),
      value: facts.present,
      rows: ['above'],
    });
  for (const date of facts.others ?? [])
    wanted.push({ key: date, left: line.at(date), word: t('dateline.present'), value: date, rows: ['above', 'below', 'low'] });
  if (moved && earlier)
    wanted.push({ key: 'earlier', left: line.at(earlier), word: '', value: earlier, rows: ['above', 'below'] });
  if (!moved) wanted.push({ key: 'today', left: 0, word: t('dateline.today'), value: '', rows: ['above', 'below', 'low'] });
  if (facts.best && !moved)
    wanted.push({
      key: 'best',
      left: line.at(facts.best),
      word: t('dateline.best'),
      value: facts.best,
      rows: ['above', 'below', 'low'],
      phoneRows: ['below', 'low'],
    });
  if ((windowDays || windowDays === null) && span)
    wanted.push({
      key: 'window',
      left: span.left + span.width / 2,
      word: t('editor.window'),
      value: windowDays === null ? '–' : t('unit.days', { count: windowDays }),
      rows: ['above', 'below', 'low'],
    });
  const asLabels = (phone: boolean): LineLabel[] =>
    wanted.map(({ key, left, word, value, rows, phoneRows }) => ({
      key,
      left,
      text: `${word} ${value}`.trim(),
      rows: (phone && phoneRows) || rows,
    }));
  const wide = asLabels(false);
  const xs = placeLabels(asLabels(true), PHONE_PX);
  const sm = placeLabels(wide, WIDE_PX);
  const tops: Record<LabelRow, number> = { above: moved ? -50 : -26, below: 14, low: 14 + ROW_PX };
  const bottom = (rows: Record<string, LabelRow>) => `${22 + (Object.values(rows).includes('low') ? ROW_PX : 0)}px`;
  const below = wide.filter((label) => sm[label.key] !== 'above').map((label) => labelStretch(label, WIDE_PX));
  const hidden = line.months.filter(({ date, left }) => {
    const half = textWidthPx(monthName(date, language)) / 2 + 6;
    const middle = (left / 100) * WIDE_PX;
    return below.some(({ from, to }) => middle + half > from && middle - half < to);
  });
  return {
    labels: wanted.map(({ key, left, word, value }) => ({
      key,
      left,
      word,
      value,
      top: { xs: tops[xs[key] ?? 'above'], sm: tops[sm[key] ?? 'above'] },
    })),
    hidden: new Set(hidden.map(({ date }) => date)),
    room: { '--above': moved ? '50px' : '26px', '--below-phone': bottom(xs), '--below-wide': bottom(sm) },
  };
}

import { useTranslation } from 'react-i18next';
import { monthName } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { DateLineFacts, DateLineLayout } from './dateLine.ts';
import { type LabelRow, type LineLabel, labelStretch, placeLabels, textWidthPx } from './labelRows.ts';

/** Approximate minimum width of the line on a phone, and on windows of 600 px and more. */
const PHONE_PX = 270;
const WIDE_PX = 390;
const ROW_PX = 20;

interface PlacedLabel {
  key: string;
  left: number;
  caption: string;
  value: string;
  top: { xs: number; sm: number };
}

type UnplacedLabel = Omit<PlacedLabel, 'top'> & Pick<LineLabel, 'rows'> & { phoneRows?: LabelRow[] };

/**
 * Returns the labels of a date line with their rows, the month names that do not overlap them, and
 * the height of the rows.
 */
export function useLabels(
  facts: DateLineFacts,
  line: DateLineLayout,
  { moved, windowDays }: { moved: boolean; windowDays: number | null | undefined },
): { labels: PlacedLabel[]; hidden: ReadonlySet<string>; room: Record<`--${string}`, string> } {
  const { t } = useTranslation();
  const language = useLanguage();
  const span = facts.window ? line.span(facts.window) : null;
  const earlier = facts.earlierDates?.[0];
  const labels: UnplacedLabel[] = [];
  if (facts.present)
    labels.push({
      key: 'present',
      left: line.at(facts.present),
      caption: moved ? '' : t('dateline.present'),
      value: facts.present,
      rows: ['above'],
    });
  for (const date of facts.others ?? [])
    labels.push({ key: date, left: line.at(date), caption: t('dateline.present'), value: date, rows: ['above', 'below', 'low'] });
  if (moved && earlier)
    labels.push({ key: 'earlier', left: line.at(earlier), caption: '', value: earlier, rows: ['above', 'below'] });
  if (!moved) labels.push({ key: 'today', left: 0, caption: t('dateline.today'), value: '', rows: ['above', 'below', 'low'] });
  if (facts.best && !moved)
    labels.push({
      key: 'best',
      left: line.at(facts.best),
      caption: t('dateline.best'),
      value: facts.best,
      rows: ['above', 'below', 'low'],
      phoneRows: ['below', 'low'],
    });
  if ((windowDays || windowDays === null) && span)
    labels.push({
      key: 'window',
      left: span.left + span.width / 2,
      caption: t('editor.window'),
      value: windowDays === null ? '–' : t('unit.days', { count: windowDays }),
      rows: ['above', 'below', 'low'],
    });
  const asLabels = (phone: boolean): LineLabel[] =>
    labels.map(({ key, left, caption, value, rows, phoneRows }) => ({
      key,
      left,
      text: `${caption} ${value}`.trim(),
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
    labels: labels.map(({ key, left, caption, value }) => ({
      key,
      left,
      caption,
      value,
      top: { xs: tops[xs[key] ?? 'above'], sm: tops[sm[key] ?? 'above'] },
    })),
    hidden: new Set(hidden.map(({ date }) => date)),
    room: { '--above': moved ? '50px' : '26px', '--below-phone': bottom(xs), '--below-wide': bottom(sm) },
  };
}

/** Label at a position on the line (in per cent), with the rows it may use, best first. */
export interface LineLabel {
  key: string;
  left: number;
  text: string;
  rows: LabelRow[];
}

/** Row of a label, from top to bottom: above the line, below it, and lower. */
export type LabelRow = 'above' | 'below' | 'low';

const GAP_PX = 8;
const WIDE_PX = 12;
const NARROW_PX = 6.8;

/**
 * Returns the approximate width of a text of 12 px. Chinese characters are square, others about
 * half as wide.
 */
export function textWidthPx(text: string): number {
  return [...text].reduce((sum, letter) => sum + (/[\u2e80-\uffef]/.test(letter) ? WIDE_PX : NARROW_PX), 0);
}

/**
 * Returns the horizontal range of a label. A label at 0 per cent begins at its position, and a
 * label at 100 per cent ends there, so that no label extends beyond the line.
 */
export function labelStretch({ left, text }: Pick<LineLabel, 'left' | 'text'>, linePx: number): { from: number; to: number } {
  const width = textWidthPx(text);
  const from = (left / 100) * (linePx - width);
  return { from, to: from + width };
}

/**
 * Returns a row for each label: its first row in which it overlaps no earlier label, else its last
 * row.
 */
export function placeLabels(labels: LineLabel[], linePx: number): Record<string, LabelRow> {
  const taken: { row: LabelRow; from: number; to: number }[] = [];
  const placed: Record<string, LabelRow> = {};
  for (const label of labels) {
    const { from, to } = labelStretch(label, linePx);
    const free = (row: LabelRow) =>
      taken.every((other) => other.row !== row || from >= other.to + GAP_PX || to + GAP_PX <= other.from);
    const row = label.rows.find(free) ?? label.rows.at(-1) ?? 'above';
    taken.push({ row, from, to });
    placed[label.key] = row;
  }
  return placed;
}

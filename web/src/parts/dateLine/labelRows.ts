/** A label at a position of a line (in per cent), with its possible rows, best first. */
export interface LineLabel {
  key: string;
  left: number;
  text: string;
  rows: LabelRow[];
}

/** Rows from top to bottom: above the line, below it, and a second one below. */
export type LabelRow = 'above' | 'below' | 'low';

const GAP_PX = 8;
const WIDE_PX = 12;
const NARROW_PX = 6.8;

/**
 * Returns the approximate width of a 12 px text: Han letters are square, the others a little over
 * half of that.
 */
export function textWidthPx(text: string): number {
  return [...text].reduce((sum, letter) => sum + (/[\u2e80-\uffef]/.test(letter) ? WIDE_PX : NARROW_PX), 0);
}

/**
 * Returns the range that a label covers on a line. Its own share shifts it, so that it never leaves
 * the line.
 */
export function labelStretch({ left, text }: Pick<LineLabel, 'left' | 'text'>, linePx: number): { from: number; to: number } {
  const width = textWidthPx(text);
  const from = (left / 100) * (linePx - width);
  return { from, to: from + width };
}

/**
 * Gives each label its first row without an overlap with an earlier label. A label without such a
 * row gets its last one.
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

/** Words to be set at a place of a line (in per cent), with the rows they may stand in, best first. */
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

/** About how wide a 12 px text is: Han letters are square, the others a little over half of that. */
export function textWidthPx(text: string): number {
  return [...text].reduce((sum, letter) => sum + (/[\u2e80-\uffef]/.test(letter) ? WIDE_PX : NARROW_PX), 0);
}

/** The stretch a label takes up on a line: it hangs by its own share, so that it never leaves the line. */
export function labelStretch({ left, text }: Pick<LineLabel, 'left' | 'text'>, linePx: number): { from: number; to: number } {
  const width = textWidthPx(text);
  const from = (left / 100) * (linePx - width);
  return { from, to: from + width };
}

/** Gives each label the first of its rows where it meets no label before it; one that fits nowhere keeps its last row. */
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

/**
 * Moves overlapping labels apart, so that each has `height` px, without changing their order.
 * Labels with enough space do not move.
 */
export function spreadLabels(tops: number[], height: number): number[] {
  const order = tops.map((top, index) => ({ top, index })).sort((a, b) => a.top - b.top);
  for (let round = 0; round < order.length; round += 1) {
    for (let at = 1; at < order.length; at += 1) {
      const [above, below] = [order[at - 1], order[at]];
      if (!above || !below) continue;
      const lacking = height - (below.top - above.top);
      if (lacking <= 0) continue;
      above.top -= lacking / 2;
      below.top += lacking / 2;
    }
  }
  const moved = [...tops];
  for (const { top, index } of order) moved[index] = top;
  return moved;
}

/**
 * Returns the visible page numbers, with `null` for a gap: all up to seven pages, else the first,
 * the last and the current one's neighbours.
 */
export function pageNumbers(page: number, pages: number): (number | null)[] {
  if (pages <= 7) return Array.from({ length: pages }, (_, index) => index + 1);
  const first = Math.max(2, Math.min(page - 1, pages - 4));
  const last = Math.min(pages - 1, Math.max(page + 1, 5));
  const middle = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return [1, ...(first > 2 ? [null] : []), ...middle, ...(last < pages - 1 ? [null] : []), pages];
}

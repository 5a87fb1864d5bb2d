/**
 * Returns the page numbers to show, with `null` for a gap. Up to seven pages are all shown, else
 * the first, the last, and the neighbours of the current page.
 */
export function pageNumbers(page: number, pages: number): (number | null)[] {
  if (pages <= 7) return Array.from({ length: pages }, (_, index) => index + 1);
  const first = Math.max(2, Math.min(page - 1, pages - 4));
  const last = Math.min(pages - 1, Math.max(page + 1, 5));
  const middle = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return [1, ...(first > 2 ? [null] : []), ...middle, ...(last < pages - 1 ? [null] : []), pages];
}

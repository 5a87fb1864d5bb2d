/** Start of this page, by the server's clock, in ms. */
let startMs: number | null = null;

/**
 * Stores the page's start, computed from a response's `Date`. The response was written after the
 * page's start and before now. Minus the page's age, its time is no later than the page's start,
 * however slow the response was.
 */
export function recordPageStart(response: Response): void {
  const written = Date.parse(response.headers.get('Date') ?? '');
  if (startMs === null && !Number.isNaN(written)) startMs = written - performance.now();
}

/**
 * Returns this page's start by the server's clock, in ms. Everything was read later. It is null
 * before the first response.
 */
export const pageStart = () => startMs;

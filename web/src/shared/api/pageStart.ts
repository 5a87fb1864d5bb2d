/** Time at which this page started, by the server's clock, in ms. */
let startMs: number | null = null;

/**
 * Stores the time of the page's start, computed from the `Date` header of a response. The result is
 * never later than the real start, even if the response was slow.
 */
export function recordPageStart(response: Response): void {
  const written = Date.parse(response.headers.get('Date') ?? '');
  if (startMs === null && !Number.isNaN(written)) startMs = written - performance.now();
}

/**
 * Returns the time at which this page started, by the server's clock, in ms. All data of the page
 * is newer. Returns null before the first response.
 */
export const pageStart = () => startMs;

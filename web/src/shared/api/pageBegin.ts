/** When this page began, by the server's clock, in ms. */
let begin: number | null = null;

/**
 * Takes an answer's `Date`. It was written after the page had begun, and before now: less the page's age it is no later than the
 * page's beginning, however long the answer was under way.
 */
export function noteAnswer(response: Response): void {
  const written = Date.parse(response.headers.get('Date') ?? '');
  if (begin === null && !Number.isNaN(written)) begin = written - performance.now();
}

/** When this page began, by the server's clock, in ms: what it has read was read later. Null before its first answer. */
export const pageBegin = () => begin;

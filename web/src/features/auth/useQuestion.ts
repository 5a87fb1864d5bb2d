import { useEffect, useState } from 'react';
import { answer, client } from '../../shared/api/client.ts';
import type { Question } from '../../shared/api/types.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';

/**
 * Intervals between requests after an approval: short during the booking attempt, longer while the
 * result of the portal is unknown.
 */
const AGAIN_MS = 1_500;
const UNKNOWN_AGAIN_MS = 30_000;

/**
 * Requests the question, and computes by how much the server's clock is ahead of the device's
 * clock.
 */
async function readQuestion(token: string): Promise<{ question: Question; aheadMs: number }> {
  const call = client.GET('/questions', { params: { query: { token } } });
  const question = await answer(call);
  const date = Date.parse((await call).response.headers.get('Date') ?? '');
  return { question, aheadMs: Number.isNaN(date) ? 0 : date - Date.now() };
}

/**
 * Requests the question of a link repeatedly until its outcome is known, and when the page becomes
 * visible. `submit` sends the answer.
 */
export function useQuestion(token: string) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [aheadMs, setAheadMs] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const submission = useSubmission(async (choice: 'yes' | 'no') => {
    setQuestion(await answer(client.POST('/questions/answer', { body: { token, answer: choice } })));
  });
  useEffect(() => {
    if (!token) return;
    const show = (seen: Awaited<ReturnType<typeof readQuestion>>) => {
      setQuestion(seen.question);
      setAheadMs(seen.aheadMs);
    };
    readQuestion(token).then(show, setFailure);
    // Timers do not run while a phone sleeps.
    const again = () => document.visibilityState === 'visible' && void readQuestion(token).then(show, () => undefined);
    document.addEventListener('visibilitychange', again);
    return () => document.removeEventListener('visibilitychange', again);
  }, [token]);
  const everyMs = question?.state === 'trying' ? AGAIN_MS : question?.state === 'unknown' ? UNKNOWN_AGAIN_MS : null;
  const openUntil = question?.state === 'open' ? question.valid_until : null;
  useEffect(() => {
    if (everyMs === null && openUntil === null) return;
    const again = () =>
      readQuestion(token).then(
        (seen) => setQuestion(seen.question),
        () => undefined,
      );
    if (everyMs !== null) {
      const timer = setInterval(again, everyMs);
      return () => clearInterval(timer);
    }
    const left = Date.parse(openUntil ?? '') - Date.now() - aheadMs;
    const timer = setTimeout(again, Math.max(left, 0) + AGAIN_MS);
    return () => clearTimeout(timer);
  }, [token, everyMs, openUntil, aheadMs]);
  return { question, aheadMs, failure, ...submission };
}

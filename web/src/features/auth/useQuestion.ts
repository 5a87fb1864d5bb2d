import { useEffect, useState } from 'react';
import { answer, client } from '../../shared/api/client.ts';
import type { Question } from '../../shared/api/types.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';

/**
 * Interval at which the page requests the outcome of an approval. An attempt takes seconds; the
 * portal's result may take hours.
 */
const AGAIN_MS = 1_500;
const UNKNOWN_AGAIN_MS = 30_000;

/** Reads the question, and by how much the server's clock is ahead of this device's. */
async function readQuestion(token: string): Promise<{ question: Question; aheadMs: number }> {
  const call = client.GET('/questions', { params: { query: { token } } });
  const question = await answer(call);
  const date = Date.parse((await call).response.headers.get('Date') ?? '');
  return { question, aheadMs: Number.isNaN(date) ? 0 : date - Date.now() };
}

/**
 * Reads the question of a link until its outcome is known, and whenever the page becomes visible
 * again. `submit` approves.
 */
export function useQuestion(token: string) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [aheadMs, setAheadMs] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const approval = useSubmission(async () => {
    setQuestion(await answer(client.POST('/questions/answer', { body: { token } })));
  });
  useEffect(() => {
    if (!token) return;
    const show = (seen: Awaited<ReturnType<typeof readQuestion>>) => {
      setQuestion(seen.question);
      setAheadMs(seen.aheadMs);
    };
    readQuestion(token).then(show, setFailure);
    // The timers of a sleeping phone do not run.
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
  return { question, aheadMs, failure, ...approval };
}

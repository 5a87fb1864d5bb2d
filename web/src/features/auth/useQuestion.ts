import { useEffect, useState } from 'react';
import { answer, client } from '../../shared/api/client.ts';
import type { Question } from '../../shared/api/types.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';

/** How often the page asks what came of a yes: a try takes seconds, what the portal did may show after hours. */
const AGAIN_MS = 1_500;
const UNKNOWN_AGAIN_MS = 30_000;

const look = (token: string) => answer(client.GET('/questions', { params: { query: { token } } }));

/** The question of a link: looked at until its answer has come to something; `submit` says yes. */
export function useQuestion(token: string) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const yes = useSubmission(async () => {
    setQuestion(await answer(client.POST('/questions/answer', { body: { token } })));
  });
  useEffect(() => {
    if (!token) return;
    look(token).then(setQuestion, setFailure);
  }, [token]);
  const everyMs = question?.state === 'trying' ? AGAIN_MS : question?.state === 'unknown' ? UNKNOWN_AGAIN_MS : null;
  const late = question?.state === 'open' ? question.valid_until : null;
  useEffect(() => {
    if (everyMs === null && late === null) return;
    const again = () => look(token).then(setQuestion, () => undefined);
    if (everyMs !== null) {
      const timer = setInterval(again, everyMs);
      return () => clearInterval(timer);
    }
    const left = new Date(late ?? 0).getTime() - Date.now();
    const timer = setTimeout(again, Math.max(left, 0) + AGAIN_MS);
    return () => clearTimeout(timer);
  }, [token, everyMs, late]);
  return { question, failure, ...yes };
}

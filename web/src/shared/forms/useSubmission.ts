import { useCallback, useEffect, useRef, useState } from 'react';

/** State of a form's submission. */
export type Submission = { state: 'idle' | 'sending' | 'done' } | { state: 'failed'; error: unknown };

/**
 * Returns a function that sends a form, one submission at a time, and the state of the submission.
 * An error for which `shownElsewhere` returns true is not stored, because its field already shows
 * it.
 */
export function useSubmission<V>(send: (values: V) => Promise<void>, shownElsewhere: (error: unknown) => boolean = () => false) {
  const [submission, setSubmission] = useState<Submission>({ state: 'idle' });
  const busy = useRef(false);
  const submit = async (values: V) => {
    if (busy.current) return;
    busy.current = true;
    setSubmission({ state: 'sending' });
    try {
      await send(values);
      setSubmission({ state: 'done' });
    } catch (error) {
      setSubmission(shownElsewhere(error) ? { state: 'idle' } : { state: 'failed', error });
    } finally {
      busy.current = false;
    }
  };
  const clear = useCallback(() => setSubmission({ state: 'idle' }), []);
  const { state } = submission;
  return {
    submit,
    clear,
    sending: state === 'sending',
    done: state === 'done',
    /** Last error of the submission, or null. */
    error: submission.state === 'failed' ? submission.error : null,
  };
}

/**
 * Returns a function that runs an action after a delay, unless the component has been unmounted.
 */
export function useLater(): (action: () => void, afterMs: number) => void {
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const pending = timers.current;
    return () => {
      for (const timer of pending) clearTimeout(timer);
      pending.clear();
    };
  }, []);
  return useCallback((action, afterMs) => {
    timers.current.add(setTimeout(action, afterMs));
  }, []);
}

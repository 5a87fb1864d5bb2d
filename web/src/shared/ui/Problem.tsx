import { Clock } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/errors.ts';
import { errorWords, serverWords } from '../format/errorWords.ts';
import { useCountdown } from '../hooks/useCountdown.ts';
import { useLanguage } from '../i18n/useLanguage.ts';
import type { Words } from '../i18n/words.ts';
import { Alert } from './Alert.tsx';
import { Text, VisuallyHidden } from './Text.tsx';

interface Props {
  /** What went wrong, or null for nothing. */
  error: unknown;
  /** The words where the code says nothing to people. */
  fallback: Words;
  /** Finds the words instead of the common table. */
  words?: (error: unknown) => Words;
  children?: ReactNode;
}

/** What went wrong with a form: by code, else the server's sentence, else the fallback; with how long to wait where the server says so. */
export function Problem({ error, fallback, words, children }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (error === null || error === undefined) return null;
  if (error instanceof ApiError && error.status === 429 && error.retryAfter)
    return <Wait error={error} seconds={error.retryAfter} />;
  const key = words ? words(error) : errorWords(error, fallback);
  const text = key === fallback ? (serverWords(error, language) ?? t(key)) : t(key);
  return (
    <Alert tone="error">
      {text} {children}
    </Alert>
  );
}

/** Counts the wait down; said once to screen readers, gone when it is over. */
function Wait({ error, seconds }: { error: ApiError; seconds: number }) {
  const { t } = useTranslation();
  const [left, start] = useCountdown(seconds);
  useEffect(() => {
    if (error) start(seconds);
  }, [error, seconds, start]);
  const wait = (count: number) =>
    count > 90 ? t('problem.waitMinutes', { count: Math.ceil(count / 60) }) : t('problem.waitSeconds', { count });
  if (left === 0) return null;
  return (
    <Alert tone="warning" live="alert" icon={Clock}>
      <Text as="span" variant="small" tabular aria-hidden="true">
        {t('problem.tooManyWait', { wait: wait(left) })}
      </Text>
      <VisuallyHidden>{t('problem.tooManyWait', { wait: wait(seconds) })}</VisuallyHidden>
    </Alert>
  );
}

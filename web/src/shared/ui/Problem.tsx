import { Clock } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/errors.ts';
import { errorText, serverText } from '../format/errorText.ts';
import { useCountdown } from '../hooks/useCountdown.ts';
import type { TextKey } from '../i18n/textKey.ts';
import { useLanguage } from '../i18n/useLanguage.ts';
import { Alert } from './Alert.tsx';
import { Text, VisuallyHidden } from './Text.tsx';

interface Props {
  /** The error, or null. */
  error: unknown;
  /** Text if the code means nothing to users. */
  fallback: TextKey;
  /** Finds the text in place of the common table. */
  texts?: (error: unknown) => TextKey;
  children?: ReactNode;
}

/**
 * Renders a form's error: by code, else the server's sentence, else the fallback, with the wait
 * that the server names.
 */
export function Problem({ error, fallback, texts, children }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (error === null || error === undefined) return null;
  if (error instanceof ApiError && error.status === 429 && error.retryAfter)
    return <Wait error={error} seconds={error.retryAfter} />;
  const key = texts ? texts(error) : errorText(error, fallback);
  const text = key === fallback ? (serverText(error, language) ?? t(key)) : t(key);
  return (
    <Alert tone="error">
      {text} {children}
    </Alert>
  );
}

/**
 * Renders the wait as a countdown. Screen readers announce it once, and it disappears at its end.
 */
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

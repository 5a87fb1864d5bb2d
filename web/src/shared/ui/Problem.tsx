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
  /** Error to show, or null. */
  error: unknown;
  /** Text for errors whose code has no text. */
  fallback: TextKey;
  /** Returns the text of an error, in place of the shared table of texts. */
  texts?: (error: unknown) => TextKey;
  children?: ReactNode;
}

/**
 * Renders an error of a form. It shows the text of the error code, else the server's message, else
 * `fallback`. If the server requested a wait, it also shows a countdown.
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
 * Renders the requested wait as a countdown, which disappears at its end. Screen readers announce
 * it once.
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

import { useTranslation } from 'react-i18next';
import { useNow } from '../../shared/hooks/useNow.ts';

const LONG_SECONDS = 90;

/** How long to wait until a moment (ms), in words; null when it has come or there is none. */
export function useWaitWords(until: number): string | null {
  const { t } = useTranslation();
  const tick = useNow(until > 0 ? 1_000 : 0);
  // The clock may have stood still until there was something to wait for.
  const seconds = Math.ceil((until - Math.max(tick, Date.now())) / 1_000);
  if (until <= 0 || seconds <= 0) return null;
  return seconds > LONG_SECONDS
    ? t('problem.waitMinutes', { count: Math.ceil(seconds / 60) })
    : t('problem.waitSeconds', { count: seconds });
}

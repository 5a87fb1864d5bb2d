import { useTranslation } from 'react-i18next';
import { useNow } from '../../shared/hooks/useNow.ts';

const LONG_SECONDS = 90;

/** Returns the remaining time until a moment (ms) as text, or null if the moment is past or 0. */
export function useWaitTexts(until: number): string | null {
  const { t } = useTranslation();
  const tick = useNow(until > 0 ? 1_000 : 0);
  // `tick` may be old, because the clock only runs during a wait.
  const seconds = Math.ceil((until - Math.max(tick, Date.now())) / 1_000);
  if (until <= 0 || seconds <= 0) return null;
  return seconds > LONG_SECONDS
    ? t('problem.waitMinutes', { count: Math.ceil(seconds / 60) })
    : t('problem.waitSeconds', { count: seconds });
}

import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { spanWords } from '../../shared/format/uptime.ts';

/** A function from seconds to words: `3 hours`. */
export function useSpan(): (seconds: number) => string {
  const { t } = useTranslation();
  return useCallback(
    (seconds) => {
      const { key, count } = spanWords(seconds);
      return t(key, { count }) as string;
    },
    [t],
  );
}

import { useTranslation } from 'react-i18next';
import { useNow } from '../../shared/hooks/useNow.ts';
import { useSpan } from './useSpan.ts';

const TICK_MS = 1_000;
const MOMENT_S = 3;

/** How old something is, counting on. */
export function Age({ at }: { at: number }) {
  const { t } = useTranslation();
  const span = useSpan();
  const old = Math.floor((useNow(TICK_MS) - at) / 1000);
  return <span>{old < MOMENT_S ? t('status.justNow') : t('status.ago', { span: span(old) })}</span>;
}

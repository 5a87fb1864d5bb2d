import { useTranslation } from 'react-i18next';
import { useNow } from '../../shared/hooks/useNow.ts';
import { TextsProvider, useStatusTexts } from './statusTexts.tsx';
import { span } from './texts.ts';

const TICK_MS = 1_000;
const MOMENT_S = 3;

/** Renders the time since a moment, updated regularly. */
export function Age({ at }: { at: number }) {
  const { t } = useTranslation();
  const old = Math.floor((useNow(TICK_MS) - at) / 1000);
  if (old < MOMENT_S) return <span>{t('status.justNow')}</span>;
  return (
    <TextsProvider texts={span('old', old)}>
      <Ago />
    </TextsProvider>
  );
}

function Ago() {
  const { t } = useTranslation();
  return <span>{t('status.ago', { span: useStatusTexts('item').span('old') })}</span>;
}

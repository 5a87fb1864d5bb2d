import { useTranslation } from 'react-i18next';
import type { ChannelKind, ChannelTest } from '../../../shared/api/channels.ts';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { takerTexts } from '../kinds.ts';
import { secondsClock } from '../secondsClock.ts';
import styles from './channels.module.css';

const tones = { accepted: 'ok', wait: 'warning', broken: 'error' } as const;

/** Renders the result of *Send test*, with the provider's message. */
export function TestResult({ result, kind }: { result: ChannelTest; kind: ChannelKind }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { outcome, reason, answer, at } = result;
  const time = secondsClock(at, language);
  const name = t(takerTexts(kind));
  return (
    <div className={styles.result}>
      <Alert tone={tones[outcome]} live="status">
        {outcome === 'accepted' && t('reach.testAccepted', { name, time })}
        {outcome === 'wait' && t('reach.testWait', { name, time })}
        {outcome === 'broken' && t(`reach.reason.${reason ?? 'refused'}`)}
        {answer && (
          <p className={styles.answer}>
            {t('reach.answer', { name })} <code>{answer}</code>
          </p>
        )}
      </Alert>
    </div>
  );
}

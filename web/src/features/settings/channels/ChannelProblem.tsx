import { useTranslation } from 'react-i18next';
import type { Words } from '../../../shared/i18n/words.ts';
import { Problem } from '../../../shared/ui/Problem.tsx';
import styles from './channels.module.css';
import { channelWords, providerAnswer } from './problem.ts';

/** What went wrong with a channel, with the provider's own words where it said any. */
export function ChannelProblem({ error, fallback, name }: { error: unknown; fallback: Words; name: string }) {
  const { t } = useTranslation();
  const answer = providerAnswer(error);
  return (
    <Problem error={error} fallback={fallback} words={channelWords(fallback)}>
      {answer && (
        <span className={styles.answer}>
          {t('reach.answer', { name })} <code>{answer}</code>
        </span>
      )}
    </Problem>
  );
}

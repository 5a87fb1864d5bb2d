import { useTranslation } from 'react-i18next';
import type { ChannelKind } from '../../../shared/api/channels.ts';
import type { Words } from '../../../shared/i18n/words.ts';
import { Problem } from '../../../shared/ui/Problem.tsx';
import { takerWords } from '../kinds.ts';
import styles from './channels.module.css';
import { channelWords, providerAnswer } from './problem.ts';

interface Props {
  error: unknown;
  fallback: Words;
  kind: ChannelKind;
}

/** Renders a channel's problem, with the provider's own text if any. */
export function ChannelProblem({ error, fallback, kind }: Props) {
  const { t } = useTranslation();
  const answer = providerAnswer(error);
  return (
    <Problem error={error} fallback={fallback} words={channelWords(fallback)}>
      {answer && (
        <span className={styles.answer}>
          {t('reach.answer', { name: t(takerWords(kind)) })} <code>{answer}</code>
        </span>
      )}
    </Problem>
  );
}

import { useTranslation } from 'react-i18next';
import type { ChannelKind } from '../../../shared/api/channels.ts';
import type { TextKey } from '../../../shared/i18n/textKey.ts';
import { Problem } from '../../../shared/ui/Problem.tsx';
import { takerTexts } from '../kinds.ts';
import styles from './channels.module.css';
import { channelErrorText, providerAnswer } from './problem.ts';

interface Props {
  error: unknown;
  fallback: TextKey;
  kind: ChannelKind;
}

/** Renders the problem of a channel, with the provider's message if there is one. */
export function ChannelProblem({ error, fallback, kind }: Props) {
  const { t } = useTranslation();
  const answer = providerAnswer(error);
  return (
    <Problem error={error} fallback={fallback} texts={channelErrorText(fallback)}>
      {answer && (
        <span className={styles.answer}>
          {t('reach.answer', { name: t(takerTexts(kind)) })} <code>{answer}</code>
        </span>
      )}
    </Problem>
  );
}

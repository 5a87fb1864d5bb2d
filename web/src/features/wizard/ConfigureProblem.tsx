import { useTranslation } from 'react-i18next';
import { configureErrorText } from '../../parts/criteria/errorText.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import styles from './ConfigureProblem.module.css';
import { NotAllConfigured } from './useConfigure.ts';

/**
 * Renders the groups whose criteria were rejected, with the reasons. If all have the same reason,
 * it appears once.
 */
export function ConfigureProblem({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const failures = error instanceof NotAllConfigured ? error.failures : [];
  const reasons = [...new Set(failures.map((failure) => configureErrorText(failure.error)))];
  const [only] = reasons;
  return (
    <Alert tone="error" title={t('wizard.configureFailed')}>
      {only === undefined || (reasons.length === 1 && failures.length === 1) ? (
        t(only ?? 'problem.generic')
      ) : (
        <ul className={styles.list}>
          {failures.map((failure) => (
            <li key={failure.id}>
              <b>{joined(failure.names, language)}</b> {t(configureErrorText(failure.error))}
            </li>
          ))}
        </ul>
      )}
      {error instanceof NotAllConfigured && error.done > 0 && (
        <p className={styles.sum}>{t('wizard.configureSome', { done: error.done, failed: failures.length })}</p>
      )}
    </Alert>
  );
}

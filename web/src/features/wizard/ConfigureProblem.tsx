import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { configureErrorWords } from '../../shared/format/errorWords.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { NotAllConfigured } from './useConfigure.ts';

/** Which tasks were not taken and why; one reason for all is said once. */
export function ConfigureProblem({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const failures = error instanceof NotAllConfigured ? error.failures : [];
  const reasons = [...new Set(failures.map((failure) => configureErrorWords(failure.error)))];
  const [only] = reasons;
  return (
    <Notice tone="error" title={t('wizard.configureFailed')}>
      {only === undefined || (reasons.length === 1 && failures.length === 1) ? (
        t(only ?? 'problem.generic')
      ) : (
        <Box component="ul" sx={{ pl: 2.25, '& li': { listStyle: 'disc' } }}>
          {failures.map((failure) => (
            <li key={failure.id}>
              <b>{joined(failure.names, language)}</b> {t(configureErrorWords(failure.error))}
            </li>
          ))}
        </Box>
      )}
      {error instanceof NotAllConfigured && error.done > 0 && (
        <Box sx={{ mt: 0.5 }}>{t('wizard.configureSome', { done: error.done, failed: failures.length })}</Box>
      )}
    </Notice>
  );
}

import { useTranslation } from 'react-i18next';
import type { Words } from '../../shared/i18n/words.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import styles from './ProblemList.module.css';

/** What must be mended before saving. */
export function ProblemList({ problems }: { problems: Words[] }) {
  const { t } = useTranslation();
  if (problems.length === 0) return null;
  return (
    <Alert tone="error" title={t('editor.fixFirst')}>
      <ul className={styles.list}>
        {problems.map((problem) => (
          <li key={problem}>{t(problem)}</li>
        ))}
      </ul>
    </Alert>
  );
}

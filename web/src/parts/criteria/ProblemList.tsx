import { useTranslation } from 'react-i18next';
import type { Words } from '../../shared/i18n/words.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import styles from './ProblemList.module.css';

/** What a problem is called in the list, where that is not what its field says. */
const inList: Partial<Record<Words, Words>> = { 'editor.cityRequired': 'editor.citiesMissing' };

/** In the words of the fields, where these are in sight as well. */
const atField: Partial<Record<Words, Words>> = { 'editor.rangeInvalid': 'editor.endBeforeStart' };

interface Props {
  problems: Words[];
  /** Nothing is saved yet: what is missing for the next step, in the words of the fields. */
  onTheWay?: boolean;
}

/** What must be mended before saving. */
export function ProblemList({ problems, onTheWay = false }: Props) {
  const { t } = useTranslation();
  if (problems.length === 0) return null;
  return (
    <Alert tone="error" title={t(onTheWay ? 'editor.completeFirst' : 'editor.fixFirst')}>
      <ul className={styles.list}>
        {problems.map((problem) => (
          <li key={problem}>{t((onTheWay ? atField : inList)[problem] ?? problem)}</li>
        ))}
      </ul>
    </Alert>
  );
}

import { useTranslation } from 'react-i18next';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import styles from './ProblemList.module.css';

/** Names of problems in the list, if they differ from those at the field. */
const inList: Partial<Record<TextKey, TextKey>> = { 'editor.cityRequired': 'editor.citiesMissing' };

/** Texts of the fields, where these are visible as well. */
const atField: Partial<Record<TextKey, TextKey>> = { 'editor.rangeInvalid': 'editor.endBeforeStart' };

interface Props {
  problems: TextKey[];
  /**
   * Nothing is saved yet. The list names what the next step lacks, with the texts of the fields.
   */
  onTheWay?: boolean;
}

/** Renders the problems to fix before saving. */
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

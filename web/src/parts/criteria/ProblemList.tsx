import { useTranslation } from 'react-i18next';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import styles from './ProblemList.module.css';

/** Texts that differ between this list and the field. */
const inList: Partial<Record<TextKey, TextKey>> = { 'editor.cityRequired': 'editor.citiesMissing' };

/** Texts that the field shows too. The list uses them while the user still fills in the form. */
const atField: Partial<Record<TextKey, TextKey>> = { 'editor.rangeInvalid': 'editor.endBeforeStart' };

interface Props {
  problems: TextKey[];
  /**
   * True if nothing is saved yet. The list then names what the next step requires, with the texts
   * of the fields.
   */
  onTheWay?: boolean;
}

/** Renders the list of problems that prevent saving. */
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

import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import { visaClass } from '../../shared/format/visaClass.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import styles from './TaskMeta.module.css';
import { taskFacts } from './taskView.ts';

/**
 * Renders the visa class, the number of applicants and the portal account of a task in one line.
 */
export function TaskMeta({ task, hidden }: { task: Task; hidden: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const facts = taskFacts(task);
  const visa = task.appointments[0]?.visa_class;
  return (
    <div className={styles.meta}>
      {visa && <span>{visaClass(visa, language)}</span>}
      <span>{t('unit.applicants', { count: facts.applicants })}</span>
      <span className={styles.account}>{hidden ? maskEmail(facts.account) : facts.account}</span>
    </div>
  );
}

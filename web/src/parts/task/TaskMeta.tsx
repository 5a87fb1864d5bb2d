import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { civilToday } from '../../shared/format/dates.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { visaClass } from '../../shared/format/visaClass.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import styles from './TaskMeta.module.css';
import { type Priority, priorityOf, taskFacts } from './taskView.ts';

const priorityWords: Record<Priority, Words> = {
  high: 'task.priorityHigh',
  medium: 'task.priorityMedium',
  normal: 'task.priorityNormal',
};
const priorityTones = { high: 'warning', medium: 'info', normal: 'line' } as const;

/** What a task is about, in one line under the names: class, people, login, consulate, country, priority. */
export function TaskMeta({ task, hidden }: { task: Task; hidden: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const facts = taskFacts(task);
  const priority = priorityOf(task, civilToday(Date.now()));
  const visa = task.appointments[0]?.visa_class;
  return (
    <div className={styles.meta}>
      {visa && <span>{visaClass(visa, language)}</span>}
      <span>{t('unit.applicants', { count: facts.applicants })}</span>
      <span className={styles.account}>{hidden ? maskEmail(facts.account) : facts.account}</span>
      <span>{t('task.consulate', { city: facts.city ? cityName(facts.city) : t('task.unknownPlace') })}</span>
      <span>{facts.canada ? t('task.canada') : t('task.unknownPlace')}</span>
      <Badge tone={priorityTones[priority]}>{t(priorityWords[priority])}</Badge>
    </div>
  );
}

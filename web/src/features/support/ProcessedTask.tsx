import { useTranslation } from 'react-i18next';
import { type Priority, priorityOf, progressOf, statusView, taskFacts } from '../../parts/task/taskView.ts';
import type { SearchParams, Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useCountryName } from '../../shared/format/useCountryName.ts';
import { useToday } from '../../shared/hooks/useToday.ts';
import { instantInFull } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Text } from '../../shared/ui/Text.tsx';
import { FactList } from './FactList.tsx';
import styles from './support.module.css';

const priorities: Record<Priority, TextKey> = {
  high: 'task.priorityHigh',
  medium: 'task.priorityMedium',
  normal: 'task.priorityNormal',
};

/** Renders one task with all values that the app derives from the raw response. */
export function ProcessedTask({ task }: { task: Task }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const today = useToday(task.country_code, task.appointments[0]?.facility);
  const cityName = useCityName();
  const countryName = useCountryName();
  const facts = taskFacts(task);
  // The raw list also contains drafts, which have no search criteria yet.
  const criteria: SearchParams | null = task.schedule_config.search_params;
  const city = facts.city ? cityName(facts.city) : t('task.unknownPlace');
  const saved = task.success_history.reduce((sum, entry) => sum + (entry.daysAdvanced ?? 0), 0);
  const status = t(statusView(task).label) as string;
  return (
    <li className={styles.task}>
      <Text as="h3" variant="strong">
        {[city, facts.account].join(' · ')}
      </Text>
      <FactList
        rows={[
          [t('testPage.id'), task.id],
          [t('testPage.status'), [status, task.status, task.status_reason].filter(Boolean).join(' · ')],
          [t('testPage.progress'), `${progressOf(task.status)}%`],
          [t('testPage.country'), countryName(task.country_code) ?? t('task.unknownPlace')],
          [t('testPage.city'), city],
          [t('testPage.consulate'), task.country_code === 'en-ca' ? t('task.consulate', { city }) : city],
          [t('testPage.original'), task.appointments[0]?.appointment_date ?? t('reason.notScheduled')],
          [t('testPage.target'), criteria?.end_date ?? t('task.none')],
          [t('testPage.best'), task.earliest_seen?.date ?? t('task.none')],
          [t('testPage.days'), saved],
          [t('testPage.checks'), task.engine.checks],
          [t('testPage.last'), instantInFull(task.updated_at, language)],
          [t('testPage.applicants'), facts.applicants],
          [t('testPage.priority'), t(priorities[priorityOf(task, today)])],
          [t('testPage.created'), instantInFull(task.created_at, language)],
        ]}
      />
    </li>
  );
}

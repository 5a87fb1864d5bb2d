import { useTranslation } from 'react-i18next';
import { useBilling } from '../../../shared/api/billing.ts';
import type { Task } from '../../../shared/api/types.ts';
import { daysBetween } from '../../../shared/format/dates.ts';
import { maskName } from '../../../shared/format/mask.ts';
import { MASKED_AMOUNT } from '../../../shared/format/maskedAmount.ts';
import { useCityName } from '../../../shared/format/useCityName.ts';
import { amount, joined, sentences, weekday } from '../../../shared/i18n/format.ts';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { Text } from '../../../shared/ui/Text.tsx';
import { appointmentLine, fingerprintsLine } from '../headline.ts';
import type { AskedDate } from '../question.ts';
import styles from './QuestionDialog.module.css';

interface Props {
  task: Task;
  asked: AskedDate;
  hidden: boolean;
}

/** Returns the names of a task's applicants, masked if they are hidden. */
export function useApplicants(task: Task, hidden: boolean): string {
  const language = useLanguage();
  const found = task.appointments.flatMap(({ applicant_names }) => applicant_names);
  const names = found.length > 0 ? found : [task.portal_schedule_id];
  return joined(hidden ? names.map(maskName) : names, language);
}

/** Renders the date of a question: for whom, where, and the days gained. */
export function QuestionDate({ task, asked, hidden }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const present = task.appointments[0]?.appointment_date;
  const gained = present ? daysBetween(asked.date, present) : 0;
  return (
    <div>
      <p className={styles.for}>{t('ask.for', { people: useApplicants(task, hidden) })}</p>
      <p className={styles.date}>
        {asked.date} <span className={styles.weekday}>{weekday(asked.date, language)}</span>
      </p>
      <p className={styles.city}>{cityName(asked.facility)}</p>
      {gained > 0 && <p className={styles.gained}>{t('task.gained', { count: gained })}</p>}
    </div>
  );
}

/** Renders what a booking would replace, its cost, and the number of reschedules left. */
export function QuestionTerms({ task, hidden }: Omit<Props, 'asked'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const billing = useBilling();
  const [present] = task.appointments;
  const old = present && appointmentLine(present, present.facility ? cityName(present.facility) : null, language);
  const { on_hold, currency } = task.price;
  const cost = on_hold > 0 ? t('ask.charged', { amount: hidden ? MASKED_AMOUNT : amount(on_hold), currency }) : t('ask.free');
  const left = task.attempts_left !== null && t('ask.left', { count: task.attempts_left });
  return (
    <div className={styles.terms}>
      {old && <Text variant="small">{t('ask.instead', { old })}</Text>}
      {present?.fingerprints && (
        <Text variant="small">{t('ask.fingerprints', { at: fingerprintsLine(present.fingerprints, language) })}</Text>
      )}
      <Text variant="small" color="secondary">
        {sentences([t('ask.time'), billing && cost, left], language)}
      </Text>
    </div>
  );
}

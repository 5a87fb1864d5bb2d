import { useTranslation } from 'react-i18next';
import { addDays } from '../../shared/format/dates.ts';
import { Checkbox } from '../../shared/ui/Checkbox.tsx';
import { DateField } from '../../shared/ui/DateField.tsx';
import styles from './ChangesSection.module.css';
import { NumberChips } from './NumberChips.tsx';
import { Section } from './Section.tsx';
import { limits, NO_DATE, type SearchForm } from './searchForm.ts';
import type { EditorFacts } from './WindowSection.tsx';

/** Validity in days of the consent to the last reschedule, if the window has no end yet. */
const LAST_ATTEMPT_DAYS = 30;

interface Props {
  form: SearchForm;
  facts: EditorFacts;
  onChange: (form: SearchForm) => void;
}

/**
 * Renders the section about reschedules, which many countries limit: the minimum gain, the number
 * to use, and the consent to use the last one.
 */
export function ChangesSection({ form, facts, onChange }: Props) {
  const { t } = useTranslation();
  const consent = (given: boolean) => (given ? (form.end ?? addDays(facts.today, LAST_ATTEMPT_DAYS)) : null);
  return (
    <Section
      part="changes"
      title={t('editor.changes')}
      aside={facts.attemptsLeft === null ? undefined : t('editor.attemptsLeft', { count: facts.attemptsLeft })}
    >
      <p className={styles.question}>{t('editor.improvement')}</p>
      <NumberChips
        label={t('editor.improvement')}
        otherLabel={t('editor.otherDays')}
        value={form.minImprovement}
        choices={[1, 7, 14, 30]}
        {...limits.minImprovement}
        outside={t('editor.improvementRange', limits.minImprovement)}
        onChange={(minImprovement) => onChange({ ...form, minImprovement })}
      />
      <div className={styles.more}>
        <p className={styles.question}>{t('editor.maxReschedules')}</p>
        <NumberChips
          label={t('editor.maxReschedules')}
          otherLabel={t('editor.otherTimes')}
          value={form.maxReschedules}
          choices={[1, 2, 3]}
          {...limits.maxReschedules}
          outside={t('editor.reschedulesRange', limits.maxReschedules)}
          onChange={(maxReschedules) => onChange({ ...form, maxReschedules })}
        />
      </div>
      <Checkbox
        className={styles.last}
        label={t('editor.lastAttempt')}
        hint={t('editor.lastAttemptText')}
        checked={form.lastAttemptUntil !== null}
        onChange={(event) => onChange({ ...form, lastAttemptUntil: consent(event.target.checked) })}
      />
      {form.lastAttemptUntil !== null && (
        <DateField
          className={styles.until}
          label={t('editor.lastAttemptUntil')}
          value={form.lastAttemptUntil || null}
          min={facts.today}
          error={form.lastAttemptUntil === NO_DATE ? t('editor.dateMissing') : undefined}
          onChange={(date) => onChange({ ...form, lastAttemptUntil: date ?? NO_DATE })}
        />
      )}
    </Section>
  );
}

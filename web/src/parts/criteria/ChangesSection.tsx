import { useTranslation } from 'react-i18next';
import { ChangeConsent } from './ChangeConsent.tsx';
import styles from './ChangesSection.module.css';
import { NumberChips } from './NumberChips.tsx';
import { Section } from './Section.tsx';
import { limits, type SearchForm } from './searchForm.ts';
import type { EditorFacts } from './WindowSection.tsx';

interface Props {
  form: SearchForm;
  facts: EditorFacts;
  /**
   * True if the country has no limit for life. Otherwise another section has the consent, or it is
   * not known to what the user would consent.
   */
  hasConsent: boolean;
  onChange: (form: SearchForm) => void;
}

/**
 * Renders the section about reschedules, which many countries limit: the minimum gain, the number
 * to use, and the consent to use the last one.
 */
export function ChangesSection({ form, facts, hasConsent, onChange }: Props) {
  const { t } = useTranslation();
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
      {hasConsent && (
        <ChangeConsent
          form={form}
          today={facts.today}
          label={t('editor.lastAttempt')}
          hint={t('editor.lastAttemptText')}
          onChange={onChange}
        />
      )}
    </Section>
  );
}

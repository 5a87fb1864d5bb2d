import { useTranslation } from 'react-i18next';
import { addDays, type CivilDate } from '../../shared/format/dates.ts';
import { Checkbox } from '../../shared/ui/Checkbox.tsx';
import { DateField } from '../../shared/ui/DateField.tsx';
import styles from './ChangesSection.module.css';
import type { EditorPart } from './editorParts.ts';
import { NO_DATE, type SearchForm } from './searchForm.ts';

/** Validity in days of a consent, if the window has no end yet. */
const CONSENT_DAYS = 30;

interface Props {
  form: SearchForm;
  today: CivilDate;
  label: string;
  hint: string;
  onChange: (form: SearchForm) => void;
}

/** Renders the consent to reschedules that are not used without it, for dates up to a day. */
export function ChangeConsent({ form, today, label, hint, onChange }: Props) {
  const { t } = useTranslation();
  const until = form.lastAttemptUntil;
  const consent = (given: boolean) => (given ? (form.end ?? addDays(today, CONSENT_DAYS)) : null);
  return (
    <div data-part={'consent' satisfies EditorPart}>
      <Checkbox
        className={styles.last}
        label={label}
        hint={hint}
        checked={until !== null}
        onChange={(event) => onChange({ ...form, lastAttemptUntil: consent(event.target.checked) })}
      />
      {until !== null && (
        <DateField
          className={styles.until}
          label={t('editor.lastAttemptUntil')}
          value={until || null}
          min={today}
          error={until === NO_DATE ? t('editor.dateMissing') : undefined}
          onChange={(date) => onChange({ ...form, lastAttemptUntil: date ?? NO_DATE })}
        />
      )}
    </div>
  );
}

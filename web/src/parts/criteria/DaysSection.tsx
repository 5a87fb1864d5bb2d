import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { joined, weekdayNamed } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import styles from './DaysSection.module.css';
import { Section } from './Section.tsx';
import { type SearchForm, timesInOrder } from './searchForm.ts';
import { EVERY_WEEKDAY, withWeekday } from './weekdays.ts';

interface Props {
  form: SearchForm;
  onChange: (form: SearchForm) => void;
}

/** Renders the section for the accepted weekdays and times. */
export function DaysSection({ form, onChange }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { weekdays } = form;
  const wanted = weekdays.length === 0 ? EVERY_WEEKDAY : weekdays;
  const names = joined(
    weekdays.map((day) => weekdayNamed(day, language)),
    language,
  );
  return (
    <Section part="days" title={t('editor.days')}>
      <div role="group" aria-label={t('editor.weekdays')} className={styles.weekdays}>
        {EVERY_WEEKDAY.map((day) => (
          <button
            key={day}
            type="button"
            aria-pressed={wanted.includes(day)}
            // The last chosen weekday cannot be removed.
            disabled={wanted.length === 1 && wanted[0] === day}
            onClick={() => onChange({ ...form, weekdays: withWeekday(weekdays, day) })}
            className={styles.weekday}
          >
            {weekdayNamed(day, language)}
            <Icon of={Check} size={14} />
          </button>
        ))}
      </div>
      <p className={styles.note}>{weekdays.length === 0 ? t('editor.weekdaysAny') : t('editor.weekdaysOnly', { days: names })}</p>
      <div className={styles.times}>
        <TextField
          type="time"
          label={t('editor.earliestTime')}
          value={form.earliestTime ?? ''}
          onChange={(event) => onChange({ ...form, earliestTime: event.target.value || null })}
        />
        <TextField
          type="time"
          label={t('editor.latestTime')}
          value={form.latestTime ?? ''}
          error={timesInOrder(form) ? undefined : t('editor.timesInvalid')}
          onChange={(event) => onChange({ ...form, latestTime: event.target.value || null })}
        />
      </div>
      <p className={styles.note}>{t(form.notifyOnly ? 'editor.timesNotify' : 'editor.timesHint')}</p>
    </Section>
  );
}

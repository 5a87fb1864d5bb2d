import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { type CivilDate, daysBetween } from '../../shared/format/dates.ts';
import { DateField } from '../../shared/legacy/DateField.tsx';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { DateLine } from '../dateLine/DateLine.tsx';
import { Section } from './Section.tsx';
import { type SearchForm, windowOf, withStart } from './searchForm.ts';

/** What the editor knows beside the form: today, the date held now, dates seen lately. */
export interface EditorFacts {
  today: CivilDate;
  present: CivilDate | null;
  seen: { date: CivilDate; facility: string }[];
  attemptsLeft: number | null;
}

interface Props {
  form: SearchForm;
  facts: EditorFacts;
  onChange: (form: SearchForm) => void;
}

/** Which dates would you take? */
export function WindowSection({ form, facts, onChange }: Props) {
  const { t } = useTranslation();
  const window = windowOf(form);
  const days = window ? daysBetween(window.start, window.end) + 1 : 0;
  const seen = facts.seen.filter((slot) => form.cities.includes(slot.facility));
  const marked = seen.map((slot) => ({
    date: slot.date,
    wanted: window !== null && slot.date >= window.start && slot.date <= window.end,
  }));
  const endWrong = form.start !== null && form.end !== null && form.end < form.start;
  const endPast = !endWrong && form.end !== null && form.end < facts.today;
  return (
    <Section part="window" title={t('editor.which')}>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: { xs: 1.5, md: 2 } }}>
        <DateField
          label={t('editor.start')}
          value={form.start}
          onChange={(start) => onChange(withStart(form, start))}
          // A running task may have begun to look in the past: that is not wrong.
          min={form.start !== null && form.start < facts.today ? form.start : facts.today}
          error={form.start === null}
        />
        <DateField
          label={t('editor.end')}
          value={form.end}
          onChange={(end) => onChange({ ...form, end })}
          min={form.start}
          error={form.end === null || endWrong || endPast}
        />
      </Box>
      {(endWrong || endPast) && (
        <Typography variant="caption" component="p" role="alert" sx={{ color: 'error.ink', mt: 0.75 }}>
          {endWrong ? t('editor.endBeforeStart') : t('editor.endPast')}
        </Typography>
      )}
      {window && (
        <Box sx={{ mt: 1.75 }}>
          <DateLine
            today={facts.today}
            window={window}
            excluded={form.excluded}
            seen={marked}
            present={facts.present}
            windowDays={days}
          />
          {seen.length > 0 && (
            <Box sx={{ display: 'flex', gap: 1, fontSize: 13, color: 'text.secondary', mt: 0.75, '& > svg': { mt: '2px' } }}>
              <Icon name="info" size={16} />
              {t('editor.seenInside', { count: marked.filter((slot) => slot.wanted).length })}
            </Box>
          )}
        </Box>
      )}
    </Section>
  );
}

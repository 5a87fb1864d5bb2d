import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { addDays } from '../../shared/format/dates.ts';
import { DateField } from '../../shared/legacy/DateField.tsx';
import { NumberChips } from './NumberChips.tsx';
import { Section } from './Section.tsx';
import { limits, type SearchForm } from './searchForm.ts';
import type { EditorFacts } from './WindowSection.tsx';

/** How far the consent for the last attempt reaches while the window has no end. */
const LAST_ATTEMPT_DAYS = 30;

interface Props {
  form: SearchForm;
  facts: EditorFacts;
  onChange: (form: SearchForm) => void;
}

/** The portal's changes are scarce: how much earlier is worth one, how many we may use, and whether the last one too. */
export function ChangesSection({ form, facts, onChange }: Props) {
  const { t } = useTranslation();
  const lastAllowed = form.lastAttemptUntil !== null;
  return (
    <Section
      part="changes"
      title={t('editor.changes')}
      aside={facts.attemptsLeft === null ? undefined : t('editor.attemptsLeft', { count: facts.attemptsLeft })}
    >
      <Typography variant="body2" sx={{ mb: 1 }}>
        {t('editor.improvement')}
      </Typography>
      <NumberChips
        label={t('editor.improvement')}
        otherLabel={t('editor.otherDays')}
        value={form.minImprovement}
        choices={[1, 7, 14, 30]}
        {...limits.minImprovement}
        onChange={(minImprovement) => onChange({ ...form, minImprovement })}
      />
      <Typography variant="body2" sx={{ mt: 2, mb: 1 }}>
        {t('editor.maxReschedules')}
      </Typography>
      <NumberChips
        label={t('editor.maxReschedules')}
        otherLabel={t('editor.otherTimes')}
        value={form.maxReschedules}
        choices={[1, 2, 3]}
        {...limits.maxReschedules}
        onChange={(maxReschedules) => onChange({ ...form, maxReschedules })}
      />
      <FormControlLabel
        sx={{ mt: 1.5, alignItems: 'flex-start' }}
        control={
          <Checkbox
            sx={{ mt: -1 }}
            checked={lastAllowed}
            onChange={(event) =>
              onChange({
                ...form,
                lastAttemptUntil: event.target.checked ? (form.end ?? addDays(facts.today, LAST_ATTEMPT_DAYS)) : null,
              })
            }
          />
        }
        label={
          <Box>
            <Typography variant="body2">{t('editor.lastAttempt')}</Typography>
            <Typography variant="caption" component="p" color="textTertiary">
              {t('editor.lastAttemptText')}
            </Typography>
          </Box>
        }
      />
      {lastAllowed && (
        <Box sx={{ mt: 1, ml: { sm: 4 }, maxWidth: 280 }}>
          <DateField
            label={t('editor.lastAttemptUntil')}
            value={form.lastAttemptUntil}
            min={facts.today}
            onChange={(date) => onChange({ ...form, lastAttemptUntil: date ?? form.lastAttemptUntil })}
          />
        </Box>
      )}
    </Section>
  );
}

import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { limits, type SearchForm } from '../../lib/searchForm.ts';
import { NumberChips } from './NumberChips.tsx';
import { Section } from './Section.tsx';

const CHOICES = [0, 1, 3, 7];

/** At least N days from today. */
export function MinDaysSection({ form, onChange }: { form: SearchForm; onChange: (form: SearchForm) => void }) {
  const { t } = useTranslation();
  const { min, max } = limits.minDays;
  const wrong = form.minDays < min || form.minDays > max;
  const hint = form.minDays === 0 ? t('editor.minDaysZero') : t('editor.minDaysText', { count: form.minDays });
  return (
    <Section part="minDays" title={t('editor.minDays')} aside={t('editor.minDaysAdvice')}>
      <NumberChips
        label={t('editor.minDays')}
        otherLabel={t('editor.otherDays')}
        value={form.minDays}
        choices={CHOICES}
        min={min}
        max={max}
        onChange={(minDays) => onChange({ ...form, minDays })}
      />
      <Typography
        variant="caption"
        component="p"
        role={wrong ? 'alert' : undefined}
        sx={{ mt: 0.75, color: wrong ? 'error.ink' : form.minDays === 0 ? 'warning.ink' : 'text.tertiary' }}
      >
        {wrong ? t('editor.minDaysRange') : hint}
      </Typography>
    </Section>
  );
}

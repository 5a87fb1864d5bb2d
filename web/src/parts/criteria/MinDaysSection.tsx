import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { NumberChips } from './NumberChips.tsx';
import { Section } from './Section.tsx';
import { limits, type SearchForm } from './searchForm.ts';

const CHOICES = [0, 1, 3, 7];

/** At least N days from today. */
export function MinDaysSection({ form, onChange }: { form: SearchForm; onChange: (form: SearchForm) => void }) {
  const { t } = useTranslation();
  const { min, max } = limits.minDays;
  const wrong = form.minDays < min || form.minDays > max;
  const hint = form.minDays === 0 ? t('editor.minDaysZero') : t('editor.minDaysText', { count: form.minDays });
  return (
    <Section part="minDays" title={t('editor.minDays')} aside={<Advice />}>
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

/** What is recommended; the whole advice on hover, focus or touch. */
function Advice() {
  const { t } = useTranslation();
  return (
    <Box sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.25 }}>
      {t('editor.minDaysAdvice')}
      <Tooltip title={t('editor.minDaysTip')} enterTouchDelay={0} leaveTouchDelay={6_000} describeChild>
        <IconButton aria-label={t('editor.minDaysAbout')} sx={{ width: 28, height: 28 }}>
          <Icon name="info" size={16} />
        </IconButton>
      </Tooltip>
    </Box>
  );
}

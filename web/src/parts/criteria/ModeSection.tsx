import Box from '@mui/material/Box';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Section } from './Section.tsx';
import type { SearchForm } from './searchForm.ts';

/** When we find one: rebook, or only tell. */
export function ModeSection({ form, onChange }: { form: SearchForm; onChange: (form: SearchForm) => void }) {
  const { t } = useTranslation();
  const modes = [
    { notifyOnly: false, title: t('editor.rebook'), text: t('editor.rebookText') },
    { notifyOnly: true, title: t('editor.notify'), text: t('editor.notifyText') },
  ];
  return (
    <Section title={t('editor.whenFound')}>
      <RadioGroup
        aria-label={t('editor.whenFound')}
        value={form.notifyOnly ? 'notify' : 'book'}
        onChange={(event) => onChange({ ...form, notifyOnly: event.target.value === 'notify' })}
        sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' }, gap: 1.5 }}
      >
        {modes.map((mode) => {
          const on = mode.notifyOnly === form.notifyOnly;
          return (
            <Box
              component="label"
              key={mode.title}
              sx={{
                display: 'grid',
                gridTemplateColumns: 'auto 1fr',
                gap: '0 8px',
                alignContent: 'start',
                p: '10px 16px 14px 8px',
                borderRadius: '12px',
                border: 1,
                borderColor: on ? 'primary.main' : 'control',
                bgcolor: on ? 'primary.soft' : 'background.paper',
                cursor: 'pointer',
              }}
            >
              <Radio
                value={mode.notifyOnly ? 'notify' : 'book'}
                size="small"
                slotProps={{ input: { 'aria-label': mode.title } }}
              />
              <Typography component="span" sx={{ fontSize: 15, fontWeight: 600, alignSelf: 'center' }}>
                {mode.title}
              </Typography>
              <Typography component="span" variant="caption" color="textSecondary" sx={{ gridColumn: 2 }}>
                {mode.text}
              </Typography>
            </Box>
          );
        })}
      </RadioGroup>
    </Section>
  );
}

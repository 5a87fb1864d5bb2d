import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../api/queries.ts';

/** Says that this server is a demonstration with a simulated portal. */
export function DemoRibbon() {
  const { t } = useTranslation();
  const { data } = useQuery(queries.status());
  if (!data?.demo) return null;
  return (
    <Box
      component="aside"
      aria-label={t('shell.demoLabel')}
      sx={{
        bgcolor: 'deep.main',
        color: 'deep.contrastText',
        textAlign: 'center',
        px: 2,
        py: '6px',
        fontSize: 13,
        lineHeight: 1.55,
      }}
    >
      {t('shell.demo')}
    </Box>
  );
}

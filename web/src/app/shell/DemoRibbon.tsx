import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';

/** Says that this server is a demonstration with a simulated portal. */
export function DemoRibbon({ demo }: { demo: boolean | undefined }) {
  const { t } = useTranslation();
  if (!demo) return null;
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

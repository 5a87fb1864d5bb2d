import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';

/** How it works, in three steps. */
export function Steps() {
  const { t } = useTranslation();
  const steps = [
    { title: t('landing.step1'), text: t('landing.step1Text') },
    { title: t('landing.step2'), text: t('landing.step2Text') },
    { title: t('landing.step3'), text: t('landing.step3Text') },
  ];
  return (
    <Box
      component="section"
      aria-labelledby="how"
      sx={{ bgcolor: 'background.paper', borderBlock: 1, borderColor: 'divider', py: { xs: 6, md: 12 } }}
    >
      <Container>
        <Typography variant="h2" id="how">
          {t('landing.howTitle')}
        </Typography>
        <Typography variant="lead" component="p" color="textSecondary" sx={{ mt: 1, mb: { xs: 4, md: 6 } }}>
          {t('landing.howLead')}
        </Typography>
        <Box
          component="ol"
          sx={{ display: 'grid', gap: { xs: 3, md: 4 }, gridTemplateColumns: { xs: '1fr', md: 'repeat(3, 1fr)' } }}
        >
          {steps.map((step, index) => (
            <Box
              component="li"
              key={step.title}
              sx={{ display: 'grid', gridTemplateColumns: '40px 1fr', gap: '4px 12px', alignContent: 'start' }}
            >
              <Box
                sx={{ fontSize: 32, fontWeight: 600, lineHeight: 1.1, color: 'primary.main', fontVariantNumeric: 'tabular-nums' }}
              >
                {index + 1}
              </Box>
              <Typography variant="h5" component="h3">
                {step.title}
              </Typography>
              <Typography color="textSecondary" sx={{ gridColumn: 2, fontSize: 15 }}>
                {step.text}
              </Typography>
            </Box>
          ))}
        </Box>
      </Container>
    </Box>
  );
}

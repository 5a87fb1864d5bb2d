import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { paths } from '../../routes/paths.ts';

/** The call to action on the one dark panel: the price promise, and the way in. */
export function CallToAction() {
  const { t } = useTranslation();
  const points = [t('landing.promise1'), t('landing.promise2'), t('landing.promise3')];
  return (
    <Container component="section" aria-labelledby="cta" sx={{ py: { xs: 6, md: 12 } }}>
      <Box
        sx={{
          bgcolor: 'deep.main',
          color: 'deep.contrastText',
          borderRadius: '24px',
          p: { xs: 3, md: 7 },
          display: 'grid',
          gap: { xs: 3, md: 6 },
          gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' },
          alignItems: 'center',
        }}
      >
        <div>
          <Typography variant="h2" id="cta">
            {t('landing.ctaTitle')}
          </Typography>
          <Typography sx={{ mt: 1, mb: 3, color: 'deep.ink' }}>{t('landing.ctaLead')}</Typography>
          <Button href={paths.register} size="large" variant="onDeep">
            {t('landing.ctaButton')}
          </Button>
        </div>
        <Box component="ul" sx={{ display: 'grid', gap: 2 }}>
          {points.map((point) => (
            <Box
              component="li"
              key={point}
              sx={{ pl: 2.5, borderLeft: '2px solid', borderColor: 'tertiary.main', color: 'deep.ink' }}
            >
              {point}
            </Box>
          ))}
        </Box>
      </Box>
    </Container>
  );
}

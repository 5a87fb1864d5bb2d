import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../routes/paths.ts';

/** The price promise on the one dark panel, with the way in. */
export function PricePromise() {
  const { t } = useTranslation();
  const points = [t('landing.promise1'), t('landing.promise2'), t('landing.promise3')];
  return (
    <Container component="section" aria-labelledby="promise" sx={{ py: { xs: 6, md: 12 } }}>
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
          <Typography variant="h2" id="promise">
            {t('landing.promiseTitle')}
          </Typography>
          <Typography sx={{ mt: 1, mb: 3, color: 'deep.ink' }}>{t('landing.promiseLead')}</Typography>
          <Button component={Link} to={paths.register} variant="onDeep">
            {t('nav.register')}
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

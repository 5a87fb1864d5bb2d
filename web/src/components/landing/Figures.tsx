import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { PublicStats } from '../../api/types.ts';
import { count } from '../../i18n/format.ts';

/** Ratings that must be there before a rate is made of them. */
const RATINGS_WANTED = 20;

/** To date: counted, never invented. With too few ratings the count towards them stands instead of a rate. */
export function Figures({ figures }: { figures: PublicStats | undefined }) {
  const { t } = useTranslation();
  if (!figures) return null;
  const cells = [
    { value: count(figures.finished_tasks), label: t('figures.users') },
    { value: count(figures.days_saved), label: t('figures.days') },
    { value: count(figures.checks_total), label: t('figures.checks') },
    figures.enough && figures.satisfied_share != null && figures.average_rating != null
      ? {
          value: `${Math.round(figures.satisfied_share * 100)}%`,
          label: t('figures.satisfied', { rating: figures.average_rating.toFixed(1), count: figures.ratings }),
        }
      : { value: `${figures.ratings} / ${RATINGS_WANTED}`, label: t('figures.tooFew'), quiet: true },
  ];
  return (
    <Box
      component="section"
      aria-labelledby="figures-title"
      sx={{ bgcolor: 'background.paper', borderBlock: 1, borderColor: 'divider', py: { xs: 5, md: 7 } }}
    >
      <Container
        sx={{
          display: 'grid',
          gap: { xs: 3, md: 4 },
          gridTemplateColumns: { xs: '1fr 1fr', md: '1.3fr repeat(4, 1fr)' },
          alignItems: 'start',
        }}
      >
        <Box sx={{ gridColumn: { xs: '1 / -1', md: 'auto' } }}>
          <Typography variant="h5" component="h2" id="figures-title">
            {t('figures.title')}
          </Typography>
          <Typography variant="caption" color="textTertiary">
            {t('figures.lead')}
          </Typography>
        </Box>
        {cells.map((cell) => (
          <div key={cell.label}>
            <Typography variant="figureLg" component="p" sx={{ color: 'quiet' in cell ? 'text.tertiary' : 'text.primary' }}>
              {cell.value}
            </Typography>
            <Typography variant="caption" color="textSecondary">
              {cell.label}
            </Typography>
          </div>
        ))}
      </Container>
    </Box>
  );
}

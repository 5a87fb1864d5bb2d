import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { count } from '../../shared/i18n/format.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';

/** Four figures of this account, all counted and none invented; without data a rate is a dash. */
export function StatsStrip() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(queries.stats());
  if (!data && isError)
    return (
      <Notice
        tone="quiet"
        action={
          <Button variant="outlined" size="small" onClick={() => void refetch()}>
            {t('problem.retry')}
          </Button>
        }
      >
        {t('stats.failed')}
      </Notice>
    );
  if (!data) return <Skeleton variant="rounded" height={112} sx={{ borderRadius: '16px' }} />;
  const rate = data.success_rate === null ? t('stats.noRate') : String(Math.round(data.success_rate * 100));
  const figures = [
    {
      label: t('stats.checks'),
      value: count(data.checks_total),
      unit: t('stats.checksUnit'),
      note: t('stats.checksToday', { number: count(data.checks_today) }),
    },
    {
      label: t('stats.days'),
      value: count(data.days_saved),
      unit: t('stats.daysUnit', { count: data.days_saved }),
      note: data.most_days_saved ? t('stats.daysMost', { count: data.most_days_saved }) : t('stats.daysNone'),
    },
    {
      label: t('stats.rate'),
      value: rate,
      unit: data.success_rate === null ? '' : t('stats.percent'),
      note: t('stats.attempts', { count: data.attempts, booked: data.booked }),
    },
    {
      label: t('stats.active'),
      value: count(data.active),
      unit: t('stats.activeUnit', { count: data.active }),
      note: t('stats.completed', { count: data.completed }),
    },
  ];
  return (
    <Card
      component="dl"
      aria-label={t('stats.title')}
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(4, 1fr)' },
        '& > div': {
          p: { xs: '14px 16px', sm: '16px 20px' },
          minWidth: 0,
          borderStyle: 'solid',
          borderWidth: 0,
          borderColor: 'divider',
        },
        '& > div:nth-of-type(even)': { borderLeftWidth: 1 },
        '& > div:nth-of-type(3)': { borderLeftWidth: { xs: 0, sm: 1 } },
        '& > div:nth-of-type(n+3)': { borderTopWidth: { xs: 1, sm: 0 } },
      }}
    >
      {figures.map((figure) => (
        <div key={figure.label}>
          <Typography component="dt" variant="caption" color="textSecondary">
            {figure.label}
          </Typography>
          <Typography component="dd" variant="figureLg" sx={{ display: 'flex', alignItems: 'baseline', gap: 0.5, my: 0.5 }}>
            {figure.value}
            <Box component="small" sx={{ fontSize: 14, fontWeight: 500, color: 'text.secondary' }}>
              {figure.unit}
            </Box>
          </Typography>
          <Typography component="dd" variant="micro" color="textTertiary">
            {figure.note}
          </Typography>
        </div>
      ))}
    </Card>
  );
}

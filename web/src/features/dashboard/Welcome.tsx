import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { RUNNING } from '../../parts/task/verdict.ts';
import { queries } from '../../shared/api/queries.ts';
import type { ListView } from '../../shared/api/taskList.ts';
import { instantClock, instantParts } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { LiveDot } from '../../shared/ui/LiveDot.tsx';
import { useTaskPage } from './useTaskPage.ts';

const NOON = 12;
const EVENING = 18;
const DAWN = 5;

/** A greeting by the clock people see, what is running, and when the next look comes. */
export function Welcome({ name, view }: { name: string; view: ListView }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useTaskPage(view);
  const { data: stats } = useQuery(queries.stats());
  const hour = Number(instantParts(new Date().toISOString()).time.slice(0, 2));
  const greeting =
    hour >= DAWN && hour < NOON
      ? 'dashboard.morning'
      : hour >= NOON && hour < EVENING
        ? 'dashboard.afternoon'
        : 'dashboard.evening';
  const running = data?.schedules.filter((task) => RUNNING.includes(task.status)) ?? [];
  // The page at hand may not show them all; the figures count them.
  const count = Math.max(running.length, data && data.total > data.schedules.length ? (stats?.active ?? 0) : 0);
  const next = running
    .flatMap((task) => task.engine.next_check_at ?? [])
    .sort()
    .find((instant) => Date.parse(instant) > Date.now());
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: { xs: 'wrap', md: 'nowrap' },
        alignItems: 'flex-end',
        gap: { xs: 1.5, md: 2 },
        mb: { xs: 2, md: 2.5 },
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="h3" component="h1">
          {t(greeting, { name: name.split('@')[0] ?? name })}
        </Typography>
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: '2px 10px',
            fontSize: 14,
            color: 'text.secondary',
            mt: 0.25,
          }}
        >
          {count > 0 ? (
            <>
              <Box
                component="span"
                sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, '& > span': { color: 'primary.main' } }}
              >
                <LiveDot />
                {t('dashboard.running', { count })}
              </Box>
              {next && (
                <Box component="span" aria-hidden sx={{ display: { xs: 'none', sm: 'inline' } }}>
                  ·
                </Box>
              )}
              {next && <span>{t('dashboard.nextLook', { time: instantClock(next, language) })}</span>}
            </>
          ) : (
            data && <span>{t('dashboard.nothingRuns')}</span>
          )}
        </Box>
      </Box>
      <Button
        component={Link}
        to={paths.wizard()}
        startIcon={<Icon name="plus" size={18} />}
        sx={{ display: { xs: 'none', md: 'inline-flex' } }}
      >
        {t('dashboard.newTask')}
      </Button>
    </Box>
  );
}

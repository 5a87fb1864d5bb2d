import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { Part } from './Part.tsx';
import { pips } from './pips.ts';

const looks = {
  free: { bgcolor: 'primary.soft', color: 'primary.ink' },
  kept: { boxShadow: 'inset 0 0 0 1.5px var(--mui-palette-control)', color: 'text.secondary' },
  used: { bgcolor: 'background.sunken', color: 'text.tertiary', textDecoration: 'line-through' },
} as const;
const icons = { free: 'check', kept: 'lock', used: 'x' } as const;
const words = { free: 'rail.free', kept: 'rail.kept', used: 'rail.used' } as const;

/** How many changes the site still allows: one pip each, the last one kept for the person unless they said otherwise. */
export function LeftCard({ task }: { task: Task }) {
  const { t } = useTranslation();
  const params = task.schedule_config.search_params;
  const left = task.attempts_left;
  const consent = params.last_attempt_until;
  const all = pips(left, task.success_history.filter((move) => move.fromDate !== null).length, Boolean(consent));
  const free = all.filter((pip) => pip === 'free').length;
  const note =
    left === null
      ? t('rail.leftUnknown')
      : left === 0
        ? t('rail.noneLeft')
        : consent
          ? t('rail.leftConsent', { date: consent })
          : t('rail.leftText');
  return (
    <Part
      icon="swap"
      title={t('rail.left')}
      mark={
        left !== null && (
          <Box component="b" sx={{ fontSize: 20, lineHeight: 1.3, fontWeight: 600 }}>
            {left}
          </Box>
        )
      }
    >
      {all.length > 0 && (
        <Box
          role="img"
          aria-label={t('rail.saysLeft', { count: left ?? 0, free, kept: (left ?? 0) - free })}
          sx={{ display: 'flex', gap: 0.75, mb: 1.25 }}
        >
          {all.map((pip, index) => (
            <Box
              key={index}
              sx={{
                flex: 1,
                minWidth: 0,
                height: 40,
                borderRadius: '12px',
                display: 'flex',
                alignItems: 'center',
                justifyContent: 'center',
                gap: 0.75,
                fontSize: 13,
                fontWeight: 500,
                ...looks[pip],
              }}
            >
              <Icon name={icons[pip]} size={15} />
              {all.length <= 4 && t(words[pip])}
            </Box>
          ))}
        </Box>
      )}
      <Box sx={{ fontSize: 13, lineHeight: 1.55, color: 'text.secondary' }}>
        {note} {left !== null && left > 0 && t('rail.leftOurs', { count: params.max_reschedules ?? 2 })}
      </Box>
    </Part>
  );
}

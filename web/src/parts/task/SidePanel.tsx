import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { isCompleted } from '../../shared/api/taskList.ts';
import type { Task } from '../../shared/api/types.ts';
import { MASKED_AMOUNT } from '../../shared/format/mask.ts';
import { amount, instantParts, unbroken } from '../../shared/i18n/format.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { LiveDot } from '../../shared/ui/LiveDot.tsx';
import { holdWords, isStarting, progressOf, statusView } from './taskView.ts';

const DAY_MS = 86_400_000;
const looks = {
  on: { bgcolor: 'side.main', color: 'side.contrastText', '& .quiet': { color: 'inherit' }, '& .price': { color: 'inherit' } },
  proc: { bgcolor: 'info.soft', color: 'info.ink' },
  off: { bgcolor: 'neutral.soft', color: 'neutral.ink' },
  done: { bgcolor: 'primary.soft', color: 'primary.ink' },
  err: { bgcolor: 'error.soft', color: 'error.ink' },
} as const;

/** How long, or since when, a task is what it is. */
function useStanding(task: Task): string {
  const { t } = useTranslation();
  const since = Date.parse(task.submitted_at ?? task.created_at);
  const days = (until: number) => Math.max(1, Math.ceil((until - since) / DAY_MS));
  if (isStarting(task)) return t('task.starting', { percent: progressOf(task.status) });
  if (task.status === 'active') return t('task.day', { count: days(Date.now()) });
  if (isCompleted(task)) return t('task.took', { count: days(Date.parse(task.status_since)) });
  return t('task.sinceDay', { when: unbroken(instantParts(task.status_since).date.slice(5)) });
}

/** A thin bar for the way to the first look. */
function Progress({ percent }: { percent: number }) {
  const { t } = useTranslation();
  return (
    <Box
      role="progressbar"
      aria-label={t('task.progress')}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      sx={{ width: 84, height: 4, borderRadius: '2px', bgcolor: 'info.soft2' }}
    >
      <Box sx={{ width: `${percent}%`, height: 1, borderRadius: '2px', bgcolor: 'currentColor' }} />
    </Box>
  );
}

/** The coloured edge of the card: status, since when, the price and what has become of it. Below 720 px it is the top strip. */
export function SidePanel({ task, hidden }: { task: Task; hidden: boolean }) {
  const { t } = useTranslation();
  const status = statusView(task);
  const standing = useStanding(task);
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: 'row',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: '0 10px',
        p: '10px 16px',
        borderRadius: '15px 15px 0 0',
        '@container (min-width: 640px)': {
          flexDirection: 'column',
          flexWrap: 'nowrap',
          alignItems: 'flex-start',
          gap: '4px',
          p: '20px 14px',
          borderRadius: '15px 0 0 15px',
        },
        '& .quiet': { color: 'text.secondary' },
        '& .price': { color: 'text.primary' },
        ...looks[status.tone],
      }}
    >
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 0.75,
          fontSize: 14,
          lineHeight: 1.6,
          fontWeight: 600,
          '@container (max-width: 639.95px)': { whiteSpace: 'nowrap' },
        }}
      >
        {status.icon ? <Icon name={status.icon} size={18} /> : <LiveDot />}
        {t(status.label)}
      </Box>
      <Box className="quiet" sx={{ fontSize: 13 }}>
        {standing}
      </Box>
      {isStarting(task) && <Progress percent={progressOf(task.status)} />}
      <Box
        className="price"
        sx={{
          fontSize: { xs: 18, sm: 20 },
          lineHeight: 1.3,
          fontWeight: 600,
          fontVariantNumeric: 'tabular-nums',
          whiteSpace: 'nowrap',
          ml: 'auto',
          '@container (min-width: 640px)': { ml: 0, mt: 'auto' },
        }}
      >
        {hidden ? MASKED_AMOUNT : amount(task.price.total)}
        <Box component="small" className="quiet" sx={{ fontSize: 12, fontWeight: 500, ml: '3px' }}>
          {task.price.currency}
        </Box>
      </Box>
      <Box
        className="quiet"
        sx={{
          fontSize: 12,
          lineHeight: 1.5,
          flexBasis: '100%',
          textAlign: 'right',
          '@container (min-width: 640px)': { flexBasis: 'auto', textAlign: 'left' },
        }}
      >
        {t(holdWords(task))}
      </Box>
    </Box>
  );
}

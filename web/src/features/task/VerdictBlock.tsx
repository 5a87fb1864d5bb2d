import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { RUNNING } from '../../parts/task/verdict.ts';
import { grounds, useVerdict, VerdictEnd, type VerdictProps } from '../../parts/task/verdictParts.tsx';
import type { Task } from '../../shared/api/types.ts';
import { instantShort } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';

/** What the verdict rests on, as facts with a tick; only what is known is said. */
function useTicks(task: Task): string[] {
  const { t } = useTranslation();
  const language = useLanguage();
  if (!RUNNING.includes(task.status)) return [];
  const { looks, verdict } = task.engine;
  const ticks: string[] = [];
  if (task.visa_credentials.health === 'valid') ticks.push(t('detail.tickAccount'));
  if (verdict.code === 'watching') ticks.push(t('detail.tickOpen'));
  if (looks)
    ticks.push(
      t('detail.tickBudget', {
        hour: looks.hour_used,
        hourLimit: looks.hour_limit,
        ten: looks.ten_hours_used,
        tenLimit: looks.ten_hours_limit,
      }),
    );
  if (task.change_deadline && Date.parse(task.change_deadline) > Date.now())
    ticks.push(t('detail.tickDeadline', { when: instantShort(task.change_deadline, language) }));
  return ticks;
}

/** The conclusion at the head of the page, with its evidence, the countdown, and the one button that mends it. */
export function VerdictBlock({ task, hidden, busy, onAction }: VerdictProps) {
  const { view, title, detail } = useVerdict(task, hidden);
  const ticks = useTicks(task);
  const quiet = view.tone === 'won' ? 'inherit' : 'text.secondary';
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'auto 1fr', sm: 'auto 1fr auto' },
        gap: '6px 16px',
        alignItems: 'center',
        p: { xs: 2, sm: '20px 24px' },
        borderRadius: '15px 15px 0 0',
        ...grounds[view.tone],
      }}
    >
      <Box sx={{ color: 'var(--verdict-ink)', alignSelf: 'start', mt: '2px' }}>
        <Icon name={view.icon} size={24} />
      </Box>
      <Box>
        <Box role="status">
          <Box component="p" sx={{ fontSize: 18, lineHeight: 1.5, fontWeight: 600 }}>
            {title}
          </Box>
          <Box component="p" sx={{ fontSize: 14, lineHeight: 1.6, color: quiet }}>
            {detail}
          </Box>
        </Box>
        {ticks.length > 0 && (
          <Box
            component="ul"
            sx={{
              display: 'flex',
              flexDirection: { xs: 'column', sm: 'row' },
              flexWrap: 'wrap',
              gap: '2px 18px',
              mt: 1,
              fontSize: 13,
              lineHeight: 1.55,
              color: quiet,
              '& li': { display: 'flex', gap: 0.625, alignItems: 'flex-start' },
              '& svg': { color: 'var(--verdict-ink)', mt: '3px' },
            }}
          >
            {ticks.map((tick) => (
              <li key={tick}>
                <Icon name="check" size={14} />
                <span>{tick}</span>
              </li>
            ))}
          </Box>
        )}
      </Box>
      <VerdictEnd task={task} busy={busy} onAction={onAction} large />
    </Box>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import type { Task, TaskAction } from '../../api/types.ts';
import type { Words } from '../../i18n/words.ts';
import { capability } from '../../lib/capabilities.ts';
import { type VerdictAction, type VerdictView, verdictView } from '../../lib/verdict.ts';
import { Icon } from '../../ui/Icon.tsx';
import { CountdownRing } from './CountdownRing.tsx';
import { useVerdictValues } from './useVerdictValues.ts';

/** The ground of each tone, and the colour of its icon. */
export const grounds = {
  ok: { bgcolor: 'primary.soft', '--verdict-ink': 'var(--mui-palette-primary-ink)' },
  won: { bgcolor: 'side.main', color: 'side.contrastText', '--verdict-ink': 'inherit' },
  quiet: { bgcolor: 'neutral.soft', '--verdict-ink': 'var(--mui-palette-text-secondary)' },
  warn: { bgcolor: 'warning.soft', '--verdict-ink': 'var(--mui-palette-warning-ink)' },
  err: { bgcolor: 'error.soft', '--verdict-ink': 'var(--mui-palette-error-ink)' },
} as const;

/** What the one button says. */
export const actionWords: Record<NonNullable<VerdictAction>, Words> = {
  updatePassword: 'verdict.updatePassword',
  start: 'task.start',
  edit: 'verdict.widen',
  acceptGroup: 'verdict.acceptGroup',
};

/** What the server must allow for it; agreeing to a price is only offered where there is one to agree to. */
export const permissions: Record<NonNullable<VerdictAction>, TaskAction | null> = {
  updatePassword: 'update_password',
  start: 'start',
  edit: 'edit',
  acceptGroup: null,
};

interface Props {
  task: Task;
  hidden: boolean;
  busy: boolean;
  onAction: (action: NonNullable<VerdictAction>) => void;
}

/** The evidence differs where there is less of it. */
export function detailWords(view: VerdictView, task: Task, values: Record<string, string | number>): Words {
  if (view.detail === 'verdict.watchingText') {
    if (!values.looked) return 'verdict.firstText';
    if (!values.earliest) return 'verdict.watchingNothing';
    if (!Number(values.late)) return 'verdict.watchingSeen';
  }
  // "Others see dates" is only said where another account was shown some.
  if (view.detail === 'verdict.coolingText' && task.engine.verdict.evidence?.others_saw_minutes == null)
    return 'verdict.coolingAlone';
  if (view.detail === 'verdict.bookedText' && task.success_history[0]?.daysAdvanced === null) return 'verdict.bookedFirst';
  return view.detail;
}

/** One conclusion, one line of evidence, the countdown; and the one button that mends it, where there is one. */
export function VerdictLine({ task, hidden, busy, onAction }: Props) {
  const { t } = useTranslation();
  const view = verdictView(task);
  const values = useVerdictValues(task, hidden);
  const { action } = view;
  const needs = action && permissions[action];
  const can = needs && capability(task, needs);
  const detail = detailWords(view, task, values);
  const days = Number(detail === 'verdict.watchingText' ? values.late : values.days);
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'auto 1fr', sm: 'auto 1fr auto' },
        gap: '4px 12px',
        alignItems: 'center',
        p: '12px 14px',
        borderRadius: '12px',
        ...grounds[view.tone],
      }}
    >
      <Box sx={{ color: 'var(--verdict-ink)', alignSelf: 'start', mt: '2px' }}>
        <Icon name={view.icon} />
      </Box>
      <Box role="status">
        <Box component="p" sx={{ fontSize: 15, lineHeight: 1.55, fontWeight: 600 }}>
          {t(view.title, values)}
        </Box>
        <Box component="p" sx={{ fontSize: 13, lineHeight: 1.55, color: view.tone === 'won' ? 'inherit' : 'text.secondary' }}>
          {t(detail, { ...values, count: days })}
        </Box>
      </Box>
      {action && (
        <Button
          variant="outlined"
          size="small"
          disabled={busy || can?.allowed === false}
          onClick={() => onAction(action)}
          sx={{ gridColumn: { xs: 2, sm: 'auto' }, justifySelf: 'start' }}
        >
          {t(actionWords[action])}
        </Button>
      )}
      {can?.why && <Box sx={{ gridColumn: '2 / -1', fontSize: 13, color: 'text.secondary' }}>{t(can.why)}</Box>}
      {!action && view.nextAt && view.tone !== 'won' && <CountdownRing nextAt={view.nextAt} />}
    </Box>
  );
}

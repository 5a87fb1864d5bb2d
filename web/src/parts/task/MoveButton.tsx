import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { CountdownPill } from '../../shared/ui/CountdownPill.tsx';
import type { TaskMove } from './useTaskMove.ts';

/** Pause or start, with the countdown that can be undone; what is not allowed says why elsewhere (`reasonId`). */
export function MoveButton({ move, reasonId }: { move: TaskMove; reasonId?: string }) {
  const { t } = useTranslation();
  const { kind, delayed, can } = move;
  const seconds = { count: Math.ceil(delayed.leftMs / 1000) };
  if (delayed.phase === 'counting')
    return (
      <CountdownPill
        small
        label={kind === 'stop' ? t('task.pausingIn', seconds) : t('task.startingIn', seconds)}
        undoLabel={t('task.undo')}
        leftMs={delayed.leftMs}
        totalMs={delayed.totalMs}
        onUndo={delayed.undo}
      />
    );
  return (
    <Button
      variant="outlined"
      size="small"
      loading={delayed.phase === 'running'}
      disabled={!can.allowed && delayed.phase === 'idle'}
      aria-describedby={can.allowed ? undefined : reasonId}
      onClick={delayed.start}
      startIcon={<Icon name={kind === 'stop' ? 'pause' : 'play'} size={16} />}
    >
      {kind === 'stop' ? t('task.pause') : t('task.start')}
    </Button>
  );
}

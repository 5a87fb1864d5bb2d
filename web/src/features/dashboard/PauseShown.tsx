import { Pause } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { useDelayedAction } from '../../shared/hooks/useDelayedAction.ts';
import { useHiddenIds } from '../../shared/hooks/useHiddenApplicants.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { CountdownPill } from '../../shared/ui/CountdownPill.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { Tooltip } from '../../shared/ui/Tooltip.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { pauseEach, peopleOf, stoppable } from './pauseEach.ts';

const PauseDialog = lazy(async () => ({ default: (await import('./PauseDialog.tsx')).PauseDialog }));

/**
 * Renders a button that pauses all running tasks on the page, after a confirmation. The user can
 * cancel during the countdown. Each task is paused with its own request.
 */
export function PauseShown({ tasks }: { tasks: Task[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const hidden = useHiddenIds();
  const [asking, setAsking] = useState(false);
  const chosen = useRef<Task[]>([]);
  const button = useRef<HTMLButtonElement>(null);
  const counted = useRef(false);
  const delayed = useDelayedAction(async () => {
    const { paused, failed } = await pauseEach(chosen.current);
    if (paused > 0) toast.success(t('dashboard.paused', { count: paused }));
    const names = peopleOf(failed, hidden, language);
    if (failed.length > 0) toast.error(t('dashboard.pauseFailed', { count: failed.length, names }));
  }, 'run');
  const counting = delayed.phase === 'counting';
  useEffect(() => {
    if (!counting && counted.current && document.activeElement === document.body) button.current?.focus();
    counted.current = counting;
  }, [counting]);
  const running = stoppable(tasks);
  if (counting)
    return (
      <CountdownPill
        small
        label={t('dashboard.pausing', { count: chosen.current.length, seconds: Math.ceil(delayed.leftMs / 1000) })}
        undoLabel={t('task.undo')}
        leftMs={delayed.leftMs}
        totalMs={delayed.totalMs}
        onUndo={delayed.undo}
      />
    );
  if (running.length < 2 && delayed.phase === 'idle') return null;
  return (
    <>
      <Tooltip text={t('dashboard.pauseAll')}>
        <IconButton
          ref={button}
          label={delayed.phase === 'running' ? t('dashboard.pauseBusy') : t('dashboard.pauseAll')}
          disabled={delayed.phase === 'running'}
          onClick={() => setAsking(true)}
        >
          <Icon of={Pause} />
        </IconButton>
      </Tooltip>
      <Suspense fallback={null}>
        {asking && (
          <PauseDialog
            count={running.length}
            onConfirm={() => {
              chosen.current = running;
              setAsking(false);
              delayed.start();
            }}
            onClose={() => setAsking(false)}
          />
        )}
      </Suspense>
    </>
  );
}

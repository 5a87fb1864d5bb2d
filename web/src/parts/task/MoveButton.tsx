import { Pause, Play } from 'lucide-react';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shared/ui/Button.tsx';
import { CountdownPill } from '../../shared/ui/CountdownPill.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import styles from './MoveButton.module.css';
import type { TaskMove } from './useTaskMove.ts';

/**
 * Renders the button that pauses or starts a task, and its cancellable countdown. `reasonId` is the
 * id of the element that explains why the button is disabled.
 */
export function MoveButton({ move, reasonId }: { move: TaskMove; reasonId?: string }) {
  const { t } = useTranslation();
  const { kind, delayed, can } = move;
  const button = useRef<HTMLButtonElement>(null);
  const counted = useRef(false);
  const [width, setWidth] = useState(0);
  const counting = delayed.phase === 'counting';
  useEffect(() => {
    // The button gets the focus after the countdown is removed, unless the user has moved the
    // focus.
    if (!counting && counted.current && document.activeElement === document.body) button.current?.focus();
    counted.current = counting;
  }, [counting]);
  const seconds = { count: Math.ceil(delayed.leftMs / 1000) };
  if (counting)
    return (
      <span className={styles.place}>
        {/* The countdown covers the place of the button, so that nothing around it moves. */}
        <span aria-hidden="true" className={styles.room} style={{ '--room': `${width}px` } as CSSProperties} />
        <span className={styles.pill}>
          <CountdownPill
            small
            label={kind === 'stop' ? t('task.pausingIn', seconds) : t('task.startingIn', seconds)}
            undoLabel={t('task.undo')}
            leftMs={delayed.leftMs}
            totalMs={delayed.totalMs}
            onUndo={delayed.undo}
          />
        </span>
      </span>
    );
  return (
    <Button
      ref={button}
      variant="secondary"
      size="small"
      loading={delayed.phase === 'running'}
      disabled={!can.allowed && delayed.phase === 'idle'}
      aria-describedby={can.allowed ? undefined : reasonId}
      onClick={() => {
        setWidth(button.current?.getBoundingClientRect().width ?? 0);
        delayed.start();
      }}
      start={<Icon of={kind === 'stop' ? Pause : Play} size={16} />}
    >
      {t(move.label)}
    </Button>
  );
}

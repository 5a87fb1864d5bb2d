import { lazy, Suspense, useEffect, useRef, useState, useTransition } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { withTexts } from '../../shared/i18n/translations.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { SectionLevel } from '../criteria/Section.tsx';
import styles from './Criteria.module.css';
import { capabilityWhile } from './capabilities.ts';
import { presentTask } from './highlights.ts';
import card from './TaskCard.module.css';
import { TaskConfig } from './TaskConfig.tsx';
import { reloadTask } from './taskCache.ts';

/**
 * The editor is a separate chunk because of its date pickers. It loads when the user starts to
 * edit.
 */
const TaskEditor = lazy(async () => ({
  default: await withTexts(['parts/criteria'], async () => (await import('./TaskEditor.tsx')).TaskEditor),
}));

/** Renders the search criteria on the card, and the editor that replaces them in place. */
export function Criteria({ task, busy }: { task: Task; busy: boolean }) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const [opening, startOpening] = useTransition();
  const edit = capabilityWhile(busy, task, 'edit');
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLFieldSetElement>(null);
  const edited = useRef(false);
  useEffect(() => {
    // The editor replaces the list, so the focus moves to it. After editing, it returns to the
    // button.
    if (editing) panel.current?.focus({ preventScroll: true });
    else if (edited.current) button.current?.focus({ preventScroll: true });
    edited.current = editing;
  }, [editing]);
  const saved = async () => {
    setEditing(false);
    await reloadTask(task.id);
    presentTask(task.id);
  };
  return (
    <div>
      <div className={styles.head}>
        <h4 className={card.heading}>{t('task.criteria')}</h4>
        {!editing && (
          <Button
            ref={button}
            variant="text"
            size="small"
            disabled={!edit.allowed}
            loading={opening}
            onClick={() => startOpening(() => setEditing(true))}
            className={styles.change}
          >
            {t('task.change')}
          </Button>
        )}
      </div>
      {editing ? (
        <fieldset ref={panel} tabIndex={-1} aria-label={t('editor.title')} className={styles.panel}>
          <SectionLevel value={5}>
            <Suspense fallback={<Skeleton kind="block" className={styles.loading} />}>
              <TaskEditor task={task} onCancel={() => setEditing(false)} onSaved={saved} />
            </Suspense>
          </SectionLevel>
        </fieldset>
      ) : (
        <TaskConfig task={task} />
      )}
    </div>
  );
}

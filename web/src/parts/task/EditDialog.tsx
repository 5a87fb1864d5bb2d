import { startTransition, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import type { SearchForm } from '../criteria/searchForm.ts';
import { DiscardDialog } from './DiscardDialog.tsx';
import styles from './EditDialog.module.css';
import { presentTask } from './highlights.ts';
import { TaskEditor } from './TaskEditor.tsx';
import { reloadTask } from './taskCache.ts';
import { useUnloadGuard } from './useUnloadGuard.ts';

interface Props {
  task: Task;
  title: string;
  /** Values to fill in instead of the task's saved criteria. */
  suggested?: Partial<SearchForm>;
  onClose: () => void;
}

/**
 * Renders the editor of a task in a dialog. After saving, the task is reloaded, and its card
 * scrolls into view and is highlighted.
 */
export function EditDialog({ task, title, suggested, onClose }: Props) {
  const { t } = useTranslation();
  // The dialog appears at once, and its many fields render afterwards, so that the press has an
  // immediate effect.
  const [ready, setReady] = useState(false);
  useEffect(() => startTransition(() => setReady(true)), []);
  const [dirty, setDirty] = useState(false);
  const [leaving, setLeaving] = useState(false);
  useUnloadGuard(dirty);
  const saved = async () => {
    onClose();
    await reloadTask(task.id);
    presentTask(task.id);
  };
  return (
    <Dialog open bare size="large" fullOnPhone onClose={() => (dirty ? setLeaving(true) : onClose())} title={t('editor.title')}>
      <Text variant="small" color="secondary" className={styles.which}>
        {title}
      </Text>
      {ready ? (
        <TaskEditor task={task} suggested={suggested} onDirty={setDirty} onCancel={onClose} onSaved={saved} />
      ) : (
        <div className={styles.loading}>
          <Skeleton kind="block" />
        </div>
      )}
      {leaving && <DiscardDialog onDiscard={onClose} onKeep={() => setLeaving(false)} />}
    </Dialog>
  );
}

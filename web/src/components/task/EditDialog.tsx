import Dialog from '@mui/material/Dialog';
import DialogTitle from '@mui/material/DialogTitle';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../api/types.ts';
import { highlightTask } from '../../lib/highlights.ts';
import { reloadTask } from '../../lib/liveUpdates.ts';
import { TaskEditor } from './TaskEditor.tsx';

/** The editor over the dashboard; after saving the one card is read again, scrolled to and marked. */
export function EditDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const { t } = useTranslation();
  const phone = useMediaQuery('(max-width:599.95px)');
  const saved = async () => {
    onClose();
    await reloadTask(task.id);
    document.getElementById(`task-${task.id}`)?.scrollIntoView({ block: 'start' });
    highlightTask(task.id);
  };
  return (
    <Dialog open onClose={onClose} fullScreen={phone} maxWidth="md" fullWidth aria-labelledby="edit-title">
      <DialogTitle id="edit-title">{t('editor.title')}</DialogTitle>
      <TaskEditor task={task} onCancel={onClose} onSaved={saved} />
    </Dialog>
  );
}

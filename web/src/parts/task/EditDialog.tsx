import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogTitle from '@mui/material/DialogTitle';
import Skeleton from '@mui/material/Skeleton';
import useMediaQuery from '@mui/material/useMediaQuery';
import { startTransition, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import type { SearchForm } from '../criteria/searchForm.ts';
import { DiscardDialog, useUnloadGuard } from './DiscardDialog.tsx';
import { presentTask } from './highlights.ts';
import { reloadTask } from './liveUpdates.ts';
import { TaskEditor } from './TaskEditor.tsx';

interface Props {
  task: Task;
  title: string;
  /** What the fields begin with instead of the task's own conditions. */
  suggested?: Partial<SearchForm>;
  onClose: () => void;
}

/** The editor over the page; after saving the one task is read again, its card scrolled to and marked. */
export function EditDialog({ task, title, suggested, onClose }: Props) {
  const { t } = useTranslation();
  const phone = useMediaQuery('(max-width:599.95px)');
  // The dialog stands at once; its many fields are drawn after, so that the press never waits for them.
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
    <Dialog
      open
      onClose={() => (dirty ? setLeaving(true) : onClose())}
      fullScreen={phone}
      maxWidth="md"
      fullWidth
      aria-labelledby="edit-title"
      aria-describedby="edit-which"
    >
      <DialogTitle id="edit-title" sx={{ pb: 0 }}>
        {t('editor.title')}
      </DialogTitle>
      <Box id="edit-which" sx={{ px: 3, pb: 1.5, fontSize: 14, color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {title}
      </Box>
      {ready ? (
        <TaskEditor task={task} suggested={suggested} onDirty={setDirty} onCancel={onClose} onSaved={saved} />
      ) : (
        <Skeleton variant="rounded" height={360} sx={{ mx: 3, mb: 3, flex: 'none' }} />
      )}
      {leaving && <DiscardDialog onDiscard={onClose} onKeep={() => setLeaving(false)} />}
    </Dialog>
  );
}

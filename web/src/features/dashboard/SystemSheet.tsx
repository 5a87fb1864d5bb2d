import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { SystemPanel } from './SystemPanel.tsx';

/** Renders the system status over the page, at the bottom of a phone's screen. */
export function SystemSheet({ tasks, onClose }: { tasks: Task[] | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open sheet title={t('nav.status')} onClose={onClose}>
      <SystemPanel tasks={tasks} />
    </Dialog>
  );
}

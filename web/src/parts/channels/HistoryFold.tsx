import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { FoldButton } from '../../shared/ui/FoldButton.tsx';
import styles from './HistoryFold.module.css';

const HistoryList = lazyComponent(async () => (await import('./HistoryList.tsx')).HistoryList);

/** Renders the delivery history, which a button opens. */
export function HistoryFold({ taskId, hidden }: { taskId?: string; hidden?: boolean }) {
  const { t } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <div>
      <FoldButton open={open} controls={id} onToggle={() => setOpen(!open)}>
        {t('channels.history')}
      </FoldButton>
      <div id={id} hidden={!open} className={styles.inside}>
        {open && <HistoryList taskId={taskId} hidden={hidden} onMissing={() => setOpen(false)} />}
      </div>
    </div>
  );
}

import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../shared/ui/ConfirmDialog.tsx';
import { Text } from '../../shared/ui/Text.tsx';

interface Props {
  count: number;
  onConfirm: () => void;
  onClose: () => void;
}

/** Renders the dialog that confirms pausing several tasks. */
export function PauseDialog({ count, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('dashboard.pauseAsk', { count })}
      confirm={t('dashboard.pauseYes', { count })}
      busy={false}
      error={null}
      fallback="toast.pauseFailed"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Text variant="small">{t('dashboard.pauseText')}</Text>
    </ConfirmDialog>
  );
}

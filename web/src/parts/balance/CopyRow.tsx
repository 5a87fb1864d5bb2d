import { type LucideIcon, QrCode } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCopied } from '../../shared/hooks/useCopied.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import styles from './balance.module.css';

interface Props {
  icon: LucideIcon;
  label: string;
  /** Value to copy, if any. */
  value?: string | null;
  /** Called when the user opens the QR code. Absent if the contact has none. */
  onQr?: () => void;
}

/** Renders a contact with a copy button and a button for its QR code. */
export function CopyRow({ icon, label, value, onQr }: Props) {
  const { t } = useTranslation();
  const { done: copied, copy } = useCopied(value ?? '');
  const copyOrReport = async () => {
    if (!(await copy())) toast.error(t('support.copyFailed'));
  };
  return (
    <div className={styles.copyRow}>
      <Icon of={icon} size={18} className={styles.copyIcon} />
      <div className={styles.copyLabel}>{label}</div>
      {value && (
        <Button
          variant="text"
          size="small"
          onClick={copyOrReport}
          aria-label={copied ? t('support.copied') : t('support.copyWhat', { what: label })}
          className={styles.copyButton}
        >
          {copied ? t('support.copied') : t('support.copy')}
        </Button>
      )}
      {onQr && (
        <IconButton label={t('support.qrOf', { what: label })} onClick={onQr} className={styles.copyQr}>
          <Icon of={QrCode} size={18} />
        </IconButton>
      )}
    </div>
  );
}

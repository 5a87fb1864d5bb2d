import { useTranslation } from 'react-i18next';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './QrDialog.module.css';
import { QrImage } from './QrImage.tsx';

interface Props {
  title: string;
  /** What the code says. */
  value: string;
  /** What the picture is called. */
  label: string;
  /** The id to look for by hand. */
  id: string | null;
  onClose: () => void;
}

/** A QR code large enough to be scanned from a screen, as a picture that can be pressed long and saved. */
export function QrDialog({ title, value, label, id, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} title={title}>
      <div className={styles.body}>
        <div className={styles.picture}>
          <QrImage key={value} value={value} label={label} />
        </div>
        <Text variant="small" color="secondary" className={styles.hint}>
          {t('support.qrHint')}
        </Text>
        {id && <Text variant="label">{t('support.qrSearch', { id })}</Text>}
      </div>
    </Dialog>
  );
}

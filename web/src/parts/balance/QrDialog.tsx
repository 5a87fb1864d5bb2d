import { useTranslation } from 'react-i18next';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './QrDialog.module.css';

/** Shown so large; the server draws it larger, so that a saved picture is sharp. */
const SHOWN_PX = 220;

interface Props {
  title: string;
  /** Address of the picture, which the server drew: chat apps recognise and save pictures on a long press. */
  picture: string;
  /** What the picture is called. */
  label: string;
  /** The id to look for by hand. */
  id: string | null;
  onClose: () => void;
}

/** A QR code large enough to be scanned from a screen, as a picture that can be pressed long and saved. */
export function QrDialog({ title, picture, label, id, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} title={title}>
      <div className={styles.body}>
        <div className={styles.picture}>
          <img src={picture} alt={label} width={SHOWN_PX} height={SHOWN_PX} />
        </div>
        <Text variant="small" color="secondary" className={styles.hint}>
          {t('support.qrHint')}
        </Text>
        {id && <Text variant="label">{t('support.qrSearch', { id })}</Text>}
      </div>
    </Dialog>
  );
}

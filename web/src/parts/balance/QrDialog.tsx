import { useTranslation } from 'react-i18next';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './QrDialog.module.css';

/** Displayed size. The server's image is larger, so that a saved picture is sharp. */
const SHOWN_PX = 220;

interface Props {
  title: string;
  /** Address of the image from the server. Chat apps recognise and save images on a long press. */
  picture: string;
  /** Name of the picture. */
  label: string;
  /** The id to search by hand. */
  id: string | null;
  onClose: () => void;
}

/** Renders a QR code large enough to scan from a screen, as an image for a long press. */
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

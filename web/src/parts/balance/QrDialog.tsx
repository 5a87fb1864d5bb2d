import { useTranslation } from 'react-i18next';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './QrDialog.module.css';

/** Displayed size. The image itself is larger, so that a saved copy is sharp. */
const SHOWN_PX = 220;

interface Props {
  title: string;
  /**
   * Address of the image. It is a real image, because chat apps recognise and save images on a long
   * press.
   */
  picture: string;
  /** Accessible name of the image. */
  label: string;
  /** Id that a user can search for instead of scanning. */
  id: string | null;
  onClose: () => void;
}

/** Renders a dialog with a QR code that is large enough to scan from a screen. */
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

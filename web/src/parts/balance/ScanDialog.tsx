import { useTranslation } from 'react-i18next';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './QrDialog.module.css';

const SHOWN_PX = 220;

interface Props {
  /** Address of the QR code's image. */
  picture: string;
  /** Amount to pay, with its currency. */
  sum: string;
  onClose: () => void;
}

/**
 * Renders the dialog with the QR code for WeChat Pay, until the payment succeeds or the user closes
 * it.
 */
export function ScanDialog({ picture, sum, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('wallet.scanTitle', { sum })}
      actions={
        <Button variant="secondary" onClick={onClose}>
          {t('wallet.putAway')}
        </Button>
      }
    >
      <div className={styles.body}>
        <div className={styles.picture}>
          <img src={picture} alt={t('wallet.codeAlt', { sum })} width={SHOWN_PX} height={SHOWN_PX} />
        </div>
        <Text variant="small" color="secondary" className={styles.hint}>
          {t('wallet.scanHint')}
        </Text>
        <Text variant="small" color="secondary" className={styles.hint}>
          {t('wallet.samePhone')}
        </Text>
        <Text variant="label" role="status">
          {t('wallet.waiting')}
        </Text>
      </div>
    </Dialog>
  );
}

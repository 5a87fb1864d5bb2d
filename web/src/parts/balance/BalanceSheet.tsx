import { useTranslation } from 'react-i18next';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { BalanceCard } from './BalanceCard.tsx';
import styles from './balance.module.css';

interface Props {
  /**
   * True if the user wants to top up. The first control of the top-up methods then gets the focus.
   */
  toTopUp: boolean;
  onClose: () => void;
}

/** Returns the first control of the top-up methods. */
const firstControl = () => document.querySelector<HTMLElement>('#balance-top-up :is(button, input)');

/** Renders the balance and the top-up methods over the page, at the bottom of a phone's screen. */
export function BalanceSheet({ toTopUp, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog open sheet bare title={t('balance.title')} initialFocus={toTopUp ? firstControl : undefined} onClose={onClose}>
      <div className={styles.sheetScroll}>
        <BalanceCard inSheet />
      </div>
    </Dialog>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Ticket, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useJustCharged } from '../../parts/balance/lastCharge.ts';
import { queries } from '../../shared/api/queries.ts';
import { paths } from '../../shared/routing/paths.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './ReminderBanner.module.css';

const KEY = 'sooner.reminder.closed';

function wasClosed(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

function forgetClosed(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked, so nothing is stored.
  }
}

/**
 * Returns whether both the balance and the amount on hold are zero. Returns null while that is
 * unknown, and soon after a submission, which shows its own costs.
 */
function useNoMoney(): boolean | null {
  const { data: credit, isError } = useQuery(queries.credit());
  const submitted = useJustCharged();
  if (submitted) return null;
  return credit ? credit.credit + credit.on_hold <= 0 : isError || null;
}

/**
 * Renders the advice to top up: how to get a code, and that only a booking is charged. It appears
 * while the balance is zero. Once closed, it stays closed until the balance has been positive.
 * `isInside` renders it within a card.
 */
export function ReminderBanner({ isInside = false }: { isInside?: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(() => !wasClosed());
  const noMoney = useNoMoney();
  useEffect(() => {
    if (noMoney !== false) return;
    forgetClosed();
    setOpen(true);
  }, [noMoney]);
  if (!open || !noMoney) return null;
  const close = () => {
    setOpen(false);
    try {
      localStorage.setItem(KEY, '1');
    } catch {
      // Storage is blocked. The banner is open again on the next visit.
    }
  };
  return (
    <section aria-labelledby="reminder-title" className={classes(styles.banner, isInside && styles.inside)}>
      <span className={styles.icon}>
        <Icon of={Ticket} />
      </span>
      <div className={styles.words}>
        <Text id="reminder-title" as="h2" variant="strong">
          {t('reminder.title')}
        </Text>
        <Text variant="small" color="secondary">
          {t('reminder.text')}{' '}
          <Link to={paths.faq} className={styles.more}>
            {t('reminder.more')}
          </Link>
        </Text>
      </div>
      <IconButton label={t('reminder.close')} onClick={close} className={styles.close}>
        <Icon of={X} size={18} />
      </IconButton>
    </section>
  );
}

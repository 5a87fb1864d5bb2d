import { useQuery } from '@tanstack/react-query';
import { Ticket, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
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

/**
 * Top up before submitting: how to get a code, and that money is charged only after a success. Gone once there is money in the
 * balance or on hold; stays closed once closed. Inside a card it is a part of that, and no banner.
 */
export function ReminderBanner({ isInside = false }: { isInside?: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(() => !wasClosed());
  const { data: credit, isError } = useQuery(queries.credit());
  const toppedUp = credit ? credit.credit + credit.on_hold > 0 : !isError;
  if (!open || toppedUp) return null;
  const close = () => {
    setOpen(false);
    try {
      localStorage.setItem(KEY, '1');
    } catch {
      // Without storage it is open again next time.
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

import { useQuery } from '@tanstack/react-query';
import { Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useBilling } from '../../shared/api/billing.ts';
import { queries } from '../../shared/api/queries.ts';
import { MASKED_AMOUNT } from '../../shared/format/maskedAmount.ts';
import { useAnyHidden } from '../../shared/hooks/useAnyHidden.ts';
import { amount } from '../../shared/i18n/format.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import styles from './BalanceChip.module.css';

/**
 * Renders the available balance in the header, with a link to the balance card. It is refreshed
 * every 30 s. Renders nothing if the server charges nothing.
 */
export function BalanceChip() {
  const { t } = useTranslation();
  const billing = useBilling();
  const { data } = useQuery(queries.credit());
  const hidden = useAnyHidden();
  if (!data || !billing) return null;
  const shown = hidden ? MASKED_AMOUNT : amount(data.credit);
  return (
    <Link
      to={`${paths.dashboard}#balance`}
      aria-label={t('shell.balance', { amount: shown, currency: data.currency })}
      className={styles.chip}
    >
      <Icon of={Wallet} size={18} />
      {shown} <small className={styles.currency}>{data.currency}</small>
    </Link>
  );
}

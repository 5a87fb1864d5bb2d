import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { Link } from '../../shared/ui/Link.tsx';

/** The available balance in the header, read every 30 s; leads to the balance card. */
export function BalanceChip() {
  const { t } = useTranslation();
  const { data } = useQuery(queries.credit());
  if (!data) return null;
  return (
    <Box
      component={Link}
      to={`${paths.dashboard}#balance`}
      aria-label={t('shell.balance', { amount: amount(data.credit), currency: data.currency })}
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1,
        height: 36,
        px: 1.5,
        borderRadius: '999px',
        border: 1,
        borderColor: 'divider',
        bgcolor: 'background.quiet',
        color: 'text.primary',
        fontSize: 14,
        fontWeight: 600,
        textDecoration: 'none',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      <Icon name="wallet" size={18} />
      {amount(data.credit)}{' '}
      <Box component="small" sx={{ fontSize: 12, fontWeight: 500, color: 'text.tertiary' }}>
        {data.currency}
      </Box>
    </Box>
  );
}

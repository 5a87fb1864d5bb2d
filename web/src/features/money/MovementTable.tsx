import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { MovementName, MovementNote } from '../../parts/balance/MovementNote.tsx';
import { kindWords, signed } from '../../parts/balance/movements.ts';
import type { Movement } from '../../shared/api/money.ts';
import { amount, instantClock, instantParts, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';

const right = { textAlign: 'right', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } as const;
const wide = { display: { xs: 'none', md: 'table-cell' } } as const;

function Row({ movement }: { movement: Movement }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { date } = instantParts(movement.at);
  const when = `${unbroken(date)} ${instantClock(movement.at, language)}`;
  return (
    <tr>
      <Box component="td" sx={{ whiteSpace: 'nowrap', color: 'text.secondary', ...wide }}>
        {when}
      </Box>
      <td>
        <Box sx={{ fontWeight: 600 }}>
          <MovementName movement={movement} />
        </Box>
        <Box sx={{ fontSize: 13, color: 'text.tertiary' }}>
          <Box component="span" sx={{ display: { md: 'none' } }}>
            {when} ·{' '}
          </Box>
          <MovementNote movement={movement} />
        </Box>
      </td>
      <Box component="td" sx={right}>
        <Box sx={{ fontWeight: 600, color: movement.amount > 0 ? 'primary.ink' : 'text.primary' }}>
          {signed(movement.amount, amount)}
        </Box>
        <Box sx={{ fontSize: 13, color: 'text.tertiary', display: { md: 'none' } }}>
          <div>{t('movements.balanceAfter', { amount: amount(movement.balance_after) })}</div>
          {movement.held_change !== 0 && <div>{t('movements.heldMoved', { amount: signed(movement.held_change, amount) })}</div>}
          <Link
            to={paths.receipt(movement.id)}
            aria-label={t('movements.receiptOf', { what: t(kindWords(movement.kind).name), when })}
          >
            {t('movements.receipt')}
          </Link>
        </Box>
      </Box>
      <Box component="td" sx={{ ...right, ...wide }}>
        {amount(movement.balance_after)}
      </Box>
      <Box component="td" sx={{ ...right, ...wide, color: movement.held_change === 0 ? 'text.tertiary' : 'text.primary' }}>
        {signed(movement.held_change, amount)}
      </Box>
      <Box component="td" sx={{ ...right, ...wide }}>
        {amount(movement.held_after)}
      </Box>
      <Box component="td" sx={{ ...right, ...wide }}>
        <Link
          to={paths.receipt(movement.id)}
          aria-label={t('movements.receiptOf', { what: t(kindWords(movement.kind).name), when })}
        >
          {t('movements.receipt')}
        </Link>
      </Box>
    </tr>
  );
}

/** Movements with the running balance: a table, on a phone folded into two columns. */
export function MovementTable({ movements }: { movements: Movement[] }) {
  const { t } = useTranslation();
  return (
    <Box
      component="table"
      sx={{
        width: '100%',
        borderCollapse: 'collapse',
        fontSize: 14,
        lineHeight: 1.55,
        '& th': {
          fontSize: 13,
          fontWeight: 500,
          color: 'text.tertiary',
          textAlign: 'left',
          p: { xs: '14px 16px 8px', md: '16px 12px 8px' },
        },
        '& td': { p: { xs: '12px 16px', md: '12px' }, verticalAlign: 'top', borderTop: 1, borderColor: 'divider' },
        '& tr > :first-of-type': { pl: { md: 2.5 } },
        '& tr > :last-child': { pr: { md: 2.5 } },
        '& td:nth-of-type(2)': { pl: { xs: 2, md: 1.5 } },
        '& td:nth-of-type(3)': { pl: { xs: 0, md: 1.5 } },
      }}
    >
      <thead>
        <tr>
          <Box component="th" scope="col" sx={wide}>
            {t('movements.colAt')}
          </Box>
          <th scope="col">{t('movements.colAbout')}</th>
          <Box component="th" scope="col" sx={{ '&&': right }}>
            {t('movements.colChange')}
          </Box>
          <Box component="th" scope="col" sx={{ '&&': right, ...wide }}>
            {t('movements.colBalance')}
          </Box>
          <Box component="th" scope="col" sx={{ '&&': right, ...wide }}>
            {t('movements.colHeldChange')}
          </Box>
          <Box component="th" scope="col" sx={{ '&&': right, ...wide }}>
            {t('movements.colHeld')}
          </Box>
          <Box component="th" scope="col" sx={{ '&&': right, ...wide }}>
            {t('movements.colReceipt')}
          </Box>
        </tr>
      </thead>
      <tbody>
        {movements.map((movement) => (
          <Row key={movement.id} movement={movement} />
        ))}
      </tbody>
    </Box>
  );
}

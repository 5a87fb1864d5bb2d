import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { MovementName, MovementNote } from '../../parts/balance/MovementNote.tsx';
import { partWords } from '../../parts/balance/movements.ts';
import type { Receipt } from '../../shared/api/money.ts';
import { amount, instantClock, instantParts, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { PrintSheet } from '../../shared/legacy/PrintSheet.tsx';

const right = { textAlign: 'right', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } as const;

/** A sum as it stands on paper: only what is taken off has a sign. */
const negative = (value: number) => (value < 0 ? `−${amount(-value)}` : amount(value));

/** The receipt itself: from whom, to whom, for what, how much, and what the balance was after it. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency } = receipt;
  const when = (instant: string) => `${unbroken(instantParts(instant).date)} ${instantClock(instant, language)}`;
  const facts: [string, string][] = [
    [t('receipt.number'), receipt.number],
    [t('receipt.at'), when(receipt.at)],
    [t('receipt.to'), receipt.to],
    ...(receipt.issued_at === receipt.at ? [] : ([[t('receipt.issued'), when(receipt.issued_at)]] satisfies [string, string][])),
  ];
  return (
    <PrintSheet title={t('receipt.title')}>
      <Box
        component="dl"
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'auto minmax(0,1fr)', sm: 'auto minmax(0,1fr) auto minmax(0,1fr)' },
          gap: '8px 16px',
          fontSize: 14,
          '& dt': { color: 'text.tertiary' },
        }}
      >
        {facts.map(([term, value]) => (
          <Box key={term} sx={{ display: 'contents' }}>
            <dt>{term}</dt>
            <Box component="dd" sx={{ overflowWrap: 'anywhere' }}>
              {value}
            </Box>
          </Box>
        ))}
      </Box>
      <div>
        <Typography variant="h6" component="h2">
          <MovementName movement={receipt} />
        </Typography>
        <Typography variant="body2" color="textSecondary">
          <MovementNote movement={receipt} />
        </Typography>
      </div>
      <Box
        component="table"
        sx={{
          width: '100%',
          borderCollapse: 'collapse',
          fontSize: 14,
          '& th': { textAlign: 'left', fontSize: 13, fontWeight: 500, color: 'text.tertiary', p: '0 0 8px' },
          '& td': { p: '10px 0', borderTop: 1, borderColor: 'divider', verticalAlign: 'top' },
          '& tfoot td': { fontSize: 16, fontWeight: 600 },
        }}
      >
        <thead>
          <tr>
            <th scope="col">{t('receipt.item')}</th>
            <Box component="th" scope="col" sx={{ '&&': right, display: { xs: 'none', sm: 'table-cell' } }}>
              {t('receipt.quantity')}
            </Box>
            <Box component="th" scope="col" sx={{ '&&': right, display: { xs: 'none', sm: 'table-cell' } }}>
              {t('receipt.price')}
            </Box>
            <Box component="th" scope="col" sx={{ '&&': right }}>
              {t('receipt.sum')}
            </Box>
          </tr>
        </thead>
        <tbody>
          {receipt.lines.map((line) => (
            <tr key={line.type}>
              <td>
                {t(partWords(line.type))}
                <Box sx={{ fontSize: 13, color: 'text.tertiary', display: { sm: 'none' } }}>
                  {t('cost.line', { price: amount(Math.abs(line.unit_amount)), count: line.count })}
                </Box>
              </td>
              <Box component="td" sx={{ ...right, display: { xs: 'none', sm: 'table-cell' } }}>
                {line.count}
              </Box>
              <Box component="td" sx={{ ...right, display: { xs: 'none', sm: 'table-cell' } }}>
                {negative(line.unit_amount)}
              </Box>
              <Box component="td" sx={right}>
                {negative(line.amount)}
              </Box>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{t('receipt.total')}</td>
            <Box component="td" sx={{ display: { xs: 'none', sm: 'table-cell' } }} colSpan={2} />
            <Box component="td" sx={right}>
              {t('unit.cad', { amount: amount(receipt.total), currency })}
            </Box>
          </tr>
        </tfoot>
      </Box>
      <Box sx={{ fontSize: 13, color: 'text.secondary', display: 'grid', gap: 0.5, fontVariantNumeric: 'tabular-nums' }}>
        <span>
          {t('receipt.balanceAfter')} {amount(receipt.balance_after)} · {t('receipt.heldAfter')} {amount(receipt.held_after)}
        </span>
        <span>{t('receipt.note', { currency })}</span>
        <span>{t('receipt.issuer')}</span>
      </Box>
    </PrintSheet>
  );
}

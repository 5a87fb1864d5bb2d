import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { CostDetails } from '../../api/types.ts';
import { amount } from '../../i18n/format.ts';

/** The parts of a sum: one line per task, then the total. */
export function CostBreakdown({ cost, names }: { cost: CostDetails; names: Record<string, string> }) {
  const { t } = useTranslation();
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: '1fr auto',
        gap: '6px 12px',
        fontSize: 14,
        fontVariantNumeric: 'tabular-nums',
        '& dd': { textAlign: 'right', whiteSpace: 'nowrap' },
      }}
    >
      {cost.schedule_breakdown.map((line) => (
        <Box key={line.schedule_id} sx={{ display: 'contents' }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {names[line.schedule_id] ?? ''}{' '}
            {t('cost.line', { price: amount(line.final_price_per_person), count: line.applicants_count })}
          </Box>
          <dd>{amount(line.total_price)}</dd>
        </Box>
      ))}
      <Box component="dt" sx={{ fontWeight: 600, pt: 1, borderTop: 1, borderColor: 'divider' }}>
        {t('cost.total')}
      </Box>
      <Box component="dd" sx={{ fontWeight: 600, pt: 1, borderTop: 1, borderColor: 'divider' }}>
        {t('unit.cad', { amount: amount(cost.total_amount), currency: cost.currency })}
      </Box>
    </Box>
  );
}

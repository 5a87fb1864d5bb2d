import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { Cost, CostLine } from '../../shared/api/pricing.ts';
import { amount } from '../../shared/i18n/format.ts';
import { discountWords } from './codeWords.ts';

interface Props {
  cost: Cost;
  /** Applicants' names by task. */
  names: Record<string, string>;
  /** What the sum is called; the total where nothing is said. */
  totalLabel?: string;
}

/** What stands under a task's line: each discount by its name, and who pays nothing because they have paid. */
function Parts({ line }: { line: CostLine }) {
  const { t } = useTranslation();
  const discounts = (line.discount_lines ?? []).filter((part) => part.amount > 0);
  const entitled = line.entitled_applicants ?? 0;
  if (discounts.length === 0 && entitled === 0) return null;
  return (
    <Box component="dd" sx={{ gridColumn: '1 / -1', '&&': { textAlign: 'left' }, fontSize: 13, color: 'text.tertiary' }}>
      {discounts.length > 0 && (
        <Box component="ul">
          <li>{t('cost.base', { price: amount(line.base_price) })}</li>
          {discounts.map((part) => (
            <li key={part.type}>{t('cost.off', { name: t(discountWords[part.type]), amount: amount(part.amount) })}</li>
          ))}
        </Box>
      )}
      {entitled > 0 && <p>{t('cost.entitled', { count: entitled })}</p>}
    </Box>
  );
}

/** The parts of a sum: one line per task with its discounts, then the total. */
export function CostBreakdown({ cost, names, totalLabel }: Props) {
  const { t } = useTranslation();
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: '1fr auto',
        gap: '4px 12px',
        fontSize: 14,
        fontVariantNumeric: 'tabular-nums',
        '& dd': { textAlign: 'right', whiteSpace: 'nowrap' },
      }}
    >
      {cost.schedule_breakdown.map((line) => (
        <Box key={line.schedule_id} sx={{ display: 'contents', '& + & > dt': { mt: 1 } }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {names[line.schedule_id] && (
              <Box component="span" sx={{ display: 'block', color: 'text.primary' }}>
                {names[line.schedule_id]}
              </Box>
            )}
            {t('cost.line', {
              price: amount(line.final_price_per_person),
              count: line.applicants_count - (line.entitled_applicants ?? 0),
            })}
          </Box>
          <Box component="dd" sx={{ alignSelf: 'end' }}>
            {amount(line.total_price)}
          </Box>
          <Parts line={line} />
        </Box>
      ))}
      <Box
        sx={{
          gridColumn: '1 / -1',
          display: 'flex',
          justifyContent: 'space-between',
          gap: 1.5,
          fontSize: 16,
          fontWeight: 600,
          mt: 0.75,
          pt: 1.25,
          borderTop: 1,
          borderColor: 'divider',
        }}
      >
        <dt>{totalLabel ?? t('cost.total')}</dt>
        <dd>{t('unit.cad', { amount: amount(cost.total_amount), currency: cost.currency })}</dd>
      </Box>
    </Box>
  );
}

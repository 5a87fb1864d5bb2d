import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AfterCharge } from '../../parts/balance/AfterCharge.tsx';
import { CostBreakdown } from '../../parts/balance/CostBreakdown.tsx';
import { EstimateNotice } from '../../parts/balance/EstimateNotice.tsx';
import { cents } from '../../shared/api/pricing.ts';
import { queries } from '../../shared/api/queries.ts';
import { amount, joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { CardHeader } from '../../shared/legacy/CardHeader.tsx';
import { CodeEntry } from './CodeEntry.tsx';
import { usePriceCodes } from './priceCodes.ts';
import { useWizardPrice } from './useWizardPrice.ts';
import type { Choice } from './wizardChoice.ts';

/** What it costs: each group with its discounts, the sum held on submit, what is left after it, and (step 3) the codes. */
export function CostCard({ chosen, codes = false }: { chosen: Choice[]; codes?: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { price, cost, asking, askAgain } = useWizardPrice(chosen);
  const { data: credit } = useQuery(queries.credit());
  const given = usePriceCodes();
  return (
    <Card component="section" aria-labelledby="cost-title">
      <CardHeader icon="wallet" title={t('cost.title')} id="cost-title" />
      <Box sx={{ p: { xs: 2, sm: '14px 20px 20px' }, display: 'grid', gap: 1.5, gridTemplateColumns: 'minmax(0,1fr)' }}>
        {!price || !cost ? (
          <Skeleton variant="rounded" height={120} />
        ) : (
          <>
            {price.estimate && <EstimateNotice onRetry={askAgain} retrying={asking} />}
            <Box sx={{ display: 'flex', gap: 1, alignItems: 'baseline', fontSize: 14, fontVariantNumeric: 'tabular-nums' }}>
              <Box sx={{ flex: 1, color: 'text.secondary' }}>{t('cost.unit')}</Box>
              {price.original_price > price.unit_price && (
                <Box component="s" sx={{ color: 'text.tertiary' }}>
                  {amount(price.original_price)}
                </Box>
              )}
              <span>{t('unit.cad', { amount: amount(price.unit_price), currency: price.currency })}</span>
            </Box>
            <CostBreakdown
              cost={cost}
              names={Object.fromEntries(
                chosen.map((choice) => [choice.group.id, joined(choice.appointment.applicant_names, language)]),
              )}
              totalLabel={price.estimate ? t('cost.estimated') : t('cost.held')}
            />
            {codes && !price.estimate && (
              <Box sx={{ display: 'grid', gap: 0.5, gridTemplateColumns: 'minmax(0,1fr)' }}>
                <CodeEntry
                  kind="promo"
                  given={given.promo}
                  answer={price.promo}
                  currency={price.currency}
                  asking={asking}
                  key={`promo${given.promo}`}
                />
                <CodeEntry
                  kind="referral"
                  given={given.referral}
                  answer={price.referral}
                  currency={price.currency}
                  asking={asking}
                  key={`referral${given.referral}`}
                />
              </Box>
            )}
            {credit && (
              <AfterCharge
                before={credit.credit}
                after={cents(credit.credit - cost.total_amount)}
                currency={credit.currency}
                rehearsal
              />
            )}
          </>
        )}
        <Typography variant="caption" color="textSecondary">
          {t('cost.promise')}
        </Typography>
      </Box>
    </Card>
  );
}

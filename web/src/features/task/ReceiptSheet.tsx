import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { applicantNames } from '../../parts/task/taskView.ts';
import type { Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { visaClass } from '../../shared/format/visaClass.ts';
import { amount, clock, dateInFull, instantParts, joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { PrintSheet } from '../../shared/legacy/PrintSheet.tsx';
import type { Receipt } from './receipts.ts';

/** One booking on one sheet: its numbers, whose it is, what changed, and what was charged. */
export function ReceiptSheet({ task, receipt }: { task: Task; receipt: Receipt }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const first = task.appointments[0];
  const issued = instantParts(receipt.at);
  const rows = [
    [t('stub.number'), receipt.number],
    [t('stub.issued'), `${issued.date} ${clock(issued.time, language)}`],
    [t('stub.task'), task.id],
    [t('stub.group'), task.portal_schedule_id],
    ...(first?.ivr_account_number ? [[t('stub.ivr'), first.ivr_account_number]] : []),
    [t('stub.applicants'), joined(applicantNames(task.appointments), language)],
    ...(first?.visa_class ? [[t('stub.visa'), visaClass(first.visa_class, language)]] : []),
    [t('stub.before'), receipt.from ? dateInFull(receipt.from, language) : t('stub.first')],
    [
      t('stub.after'),
      [dateInFull(receipt.date, language), receipt.time && clock(receipt.time, language), cityName(receipt.facility)]
        .filter(Boolean)
        .join(' '),
    ],
    ...(receipt.daysAdvanced === null ? [] : [[t('stub.gained'), t('unit.days', { count: receipt.daysAdvanced })]]),
  ];
  const charged = receipt.charged > 0;
  return (
    <PrintSheet title={t('stub.title')}>
      <Box
        component="dl"
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: '1fr', sm: '160px 1fr' },
          gap: { xs: '0', sm: '8px 16px' },
          fontSize: 14,
          lineHeight: 1.6,
          '& dt': { color: 'text.tertiary', fontSize: { xs: 13, sm: 14 } },
          '& dd': { mb: { xs: 1.25, sm: 0 }, overflowWrap: 'anywhere' },
        }}
      >
        {rows.map(([term, value]) => (
          <Box key={term} sx={{ display: 'contents' }}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </Box>
        ))}
      </Box>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'baseline',
          gap: '4px 16px',
          pt: 2.5,
          borderTop: 1,
          borderColor: 'divider',
        }}
      >
        <Box sx={{ flex: '1 1 200px' }}>
          <Box sx={{ fontSize: 16, fontWeight: 600 }}>{t('stub.charged')}</Box>
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
            {charged &&
              `${t('stub.unit', {
                amount: amount(task.price.unit_price),
                currency: receipt.currency,
                count: task.price.applicants_count,
              })} · ${t('stub.balance')}`}
          </Box>
        </Box>
        <Box sx={{ fontSize: charged ? 26 : 16, fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
          {charged
            ? t('unit.cad', { amount: amount(receipt.charged), currency: receipt.currency })
            : t('stub.free', { currency: receipt.currency })}
        </Box>
      </Box>
      <Box sx={{ display: 'grid', gap: 0.5, fontSize: 13, lineHeight: 1.55, color: 'text.secondary' }}>
        <span>{t('stub.zone')}</span>
        <span>{t('stub.notGovernment')}</span>
      </Box>
    </PrintSheet>
  );
}

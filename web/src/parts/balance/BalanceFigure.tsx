import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { Credit } from '../../shared/api/types.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { Tag } from '../../shared/legacy/Tag.tsx';

const LOW = 50;
const hatch =
  'repeating-linear-gradient(115deg, var(--mui-palette-primary-soft2) 0 4px, var(--mui-palette-primary-soft) 4px 7px)';
const line = 'inset 0 0 0 1px var(--mui-palette-primary-soft2)';

/** The available balance, large, with the bar that splits it from what is on hold; hatch always means "not charged yet". */
export function BalanceFigure({ credit }: { credit: Credit }) {
  const { t } = useTranslation();
  const low = credit.credit < LOW;
  return (
    <>
      <div>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', alignItems: 'end', gap: 1 }}>
          <div>
            <Typography variant="caption" component="p" color="textSecondary">
              {t('balance.available')}
            </Typography>
            <Typography
              variant="figureXl"
              component="p"
              sx={{ display: 'flex', alignItems: 'baseline', gap: 0.75, whiteSpace: 'nowrap' }}
            >
              {amount(credit.credit)}
              <Box component="small" sx={{ fontSize: 15, fontWeight: 500, color: 'text.secondary' }}>
                {credit.currency}
              </Box>
            </Typography>
          </div>
          {low && (
            <Tag tone="warn" icon="alert">
              {t('balance.low')}
            </Tag>
          )}
        </Box>
        <Box
          aria-hidden
          sx={{ display: 'flex', gap: '3px', height: 8, m: '14px 0 10px', '& i': { borderRadius: '4px', minWidth: 0 } }}
        >
          {credit.credit + credit.on_hold === 0 && <Box component="i" sx={{ flex: 1, bgcolor: 'background.track' }} />}
          {credit.credit > 0 && <Box component="i" sx={{ bgcolor: 'primary.main' }} style={{ flex: credit.credit }} />}
          {credit.on_hold > 0 && (
            <Box component="i" sx={{ backgroundImage: hatch, boxShadow: line }} style={{ flex: credit.on_hold }} />
          )}
        </Box>
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            gap: '4px 16px',
            fontSize: 13,
            color: 'text.secondary',
            fontVariantNumeric: 'tabular-nums',
            '& > span': { display: 'inline-flex', gap: 0.75, alignItems: 'center' },
          }}
        >
          <span>
            <Box component="i" sx={{ width: 12, height: 12, borderRadius: '4px', bgcolor: 'primary.main' }} />
            {t('balance.availableAmount', { amount: amount(credit.credit) })}
          </span>
          <span>
            <Box component="i" sx={{ width: 12, height: 12, borderRadius: '4px', backgroundImage: hatch, boxShadow: line }} />
            {t('balance.onHold', { amount: amount(credit.on_hold) })}
          </span>
        </Box>
      </div>
      {low && <Notice tone="warning">{t('balance.lowText', { currency: credit.currency })}</Notice>}
    </>
  );
}

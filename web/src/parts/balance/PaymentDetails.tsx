import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Collapse from '@mui/material/Collapse';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { amount } from '../../shared/i18n/format.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';

/** What is paid, opened on request: the amount, no fee, the total. */
export function PaymentDetails({ value, currency }: { value: number | null; currency: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const id = useId();
  const shown = value === null ? '—' : t('unit.cad', { amount: amount(value), currency });
  return (
    <Box sx={{ borderRadius: '12px', border: 1, borderColor: 'divider', bgcolor: 'background.quiet', fontSize: 14 }}>
      <ButtonBase
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        sx={{
          width: '100%',
          justifyContent: 'space-between',
          px: 1.75,
          minHeight: 44,
          borderRadius: '12px',
          fontSize: 14,
          fontWeight: 600,
          '& svg': { transform: open ? 'rotate(180deg)' : 'none', transition: 'transform .2s' },
        }}
      >
        {t('card.details')}
        <Icon name="chevronDown" size={18} />
      </ButtonBase>
      <Collapse in={open} id={id}>
        <Box
          component="dl"
          sx={{
            display: 'grid',
            gridTemplateColumns: '1fr auto',
            gap: '6px 12px',
            p: '0 14px 14px',
            fontVariantNumeric: 'tabular-nums',
            '& dt': { color: 'text.secondary' },
            '& dd': { textAlign: 'right' },
          }}
        >
          <dt>{t('card.amount')}</dt>
          <dd>{shown}</dd>
          <dt>{t('card.fee')}</dt>
          <dd>{t('card.free')}</dd>
          <Box component="dt" sx={{ '&&': { color: 'text.primary' }, fontWeight: 600 }}>
            {t('card.total')}
          </Box>
          <Box component="dd" sx={{ fontWeight: 600 }}>
            {shown}
          </Box>
        </Box>
      </Collapse>
    </Box>
  );
}

import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { amount } from '../../shared/i18n/format.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { signed } from './movements.ts';

/** Below this after a charge the next task may not be covered. */
const LOW_AFTER_CHARGE = 100;

interface Props {
  before: number;
  after: number;
  currency: string;
  /** Before the submit: what it would leave. */
  rehearsal?: boolean;
}

/** The available balance before and after a charge, with a warning when little is left. */
export function AfterCharge({ before, after, currency, rehearsal = false }: Props) {
  const { t } = useTranslation();
  const short = after < 0;
  return (
    <>
      <Box
        component="dl"
        sx={{
          display: 'grid',
          gridTemplateColumns: '1fr auto',
          gap: '6px 12px',
          fontSize: 14,
          fontVariantNumeric: 'tabular-nums',
          p: '10px 14px',
          borderRadius: '12px',
          border: 1,
          borderColor: 'divider',
          bgcolor: 'background.quiet',
          '& dt': { color: 'text.secondary' },
          '& dd': { textAlign: 'right' },
        }}
      >
        <dt>{rehearsal ? t('cost.available') : t('cost.before')}</dt>
        <dd>{amount(before)}</dd>
        <dt>{rehearsal ? t('cost.left') : t('cost.after')}</dt>
        <Box component="dd" sx={short ? { color: 'error.ink', fontWeight: 600 } : undefined}>
          {short ? signed(after, amount) : amount(after)}
        </Box>
      </Box>
      {!short && after < LOW_AFTER_CHARGE && (
        <Notice tone="warning">{t('cost.lowAfter', { amount: amount(LOW_AFTER_CHARGE), currency })}</Notice>
      )}
    </>
  );
}

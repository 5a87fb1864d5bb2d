import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../api/queries.ts';
import type { Movement } from '../../api/types.ts';
import { amount, instantShort } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/useLanguage.ts';
import type { Words } from '../../i18n/words.ts';
import { Icon } from '../../ui/Icon.tsx';

const FEW = 3;
const MANY = 50;
const kinds: Record<Movement['kind'], [Words, Words]> = {
  topup: ['ledger.topup', 'ledger.topupNote'],
  hold: ['ledger.hold', 'ledger.holdNote'],
  capture: ['ledger.capture', 'ledger.captureNote'],
  release: ['ledger.release', 'ledger.releaseNote'],
};

/** A movement's signed effect on what is available; a capture has none, its note says what was charged. */
function signed({ amount: value, note }: Movement): string {
  if (value === 0) return note ?? '';
  return `${value > 0 ? '+' : '−'}${amount(Math.abs(value))}`;
}

/** The last movements of the account, and all of them on request. */
export function Movements() {
  const { t } = useTranslation();
  const language = useLanguage();
  const [all, setAll] = useState(false);
  const { data } = useQuery(queries.ledger(all ? MANY : FEW));
  const movements = data?.movements ?? [];
  if (movements.length === 0) return null;
  return (
    <Box sx={{ p: { xs: '12px 16px', sm: '12px 20px' }, borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, fontSize: 13, fontWeight: 600, color: 'text.secondary' }}>
        <Icon name="history" size={16} />
        <Box component="h3" sx={{ flex: 1, fontSize: 'inherit', fontWeight: 'inherit' }}>
          {t('ledger.title')}
        </Box>
        {(data?.total ?? 0) > FEW && (
          <Button variant="text" size="small" onClick={() => setAll(!all)} sx={{ mr: -1.5, minHeight: 32, fontSize: 13 }}>
            {all ? t('ledger.fewer') : t('ledger.all')}
          </Button>
        )}
      </Box>
      <Box component="ul" sx={{ fontSize: 14, maxHeight: all ? 360 : 'none', overflowY: 'auto' }}>
        {(all ? movements : movements.slice(0, FEW)).map((movement) => (
          <Box
            component="li"
            key={movement.id}
            sx={{
              display: 'grid',
              gridTemplateColumns: '1fr auto',
              gap: '0 12px',
              py: 1,
              borderTop: 1,
              borderColor: 'divider',
              '&:first-of-type': { borderTop: 0 },
            }}
          >
            <span>{t(kinds[movement.kind][0])}</span>
            <Box
              component="span"
              sx={{
                fontWeight: 600,
                fontVariantNumeric: 'tabular-nums',
                color: movement.amount > 0 ? 'primary.ink' : 'text.primary',
              }}
            >
              {signed(movement)}
            </Box>
            <Box component="span" sx={{ gridColumn: '1 / -1', fontSize: 13, color: 'text.tertiary' }}>
              {instantShort(movement.at, language)} · {t(kinds[movement.kind][1])}
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

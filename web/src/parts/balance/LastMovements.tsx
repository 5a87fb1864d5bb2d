import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queries } from '../../shared/api/queries.ts';
import { amount, instantShort } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { MovementName, MovementNote } from './MovementNote.tsx';
import { signed } from './movements.ts';

const FEW = 3;

/** The last movements of the account, and the way to all of them. */
export function LastMovements() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useQuery(queries.lastMovements(FEW));
  const movements = data?.movements.slice(0, FEW) ?? [];
  if (movements.length === 0) return null;
  return (
    <Box sx={{ p: { xs: '12px 16px', sm: '12px 20px' }, borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, fontSize: 13, fontWeight: 600, color: 'text.secondary' }}>
        <Icon name="history" size={16} />
        <Box component="h3" sx={{ flex: 1, fontSize: 'inherit', fontWeight: 'inherit' }}>
          {t('ledger.title')}
        </Box>
        <Button
          component={Link}
          to={paths.balance}
          variant="text"
          size="small"
          endIcon={<Icon name="chevronRight" size={16} />}
          aria-label={t('ledger.allMovements')}
          sx={{ mr: -1.5, minHeight: 32, fontSize: 13, '& .MuiButton-endIcon': { ml: 0.25 } }}
        >
          {t('ledger.all')}
        </Button>
      </Box>
      <Box component="ul" sx={{ fontSize: 14 }}>
        {movements.map((movement) => (
          <Box
            component="li"
            key={movement.id}
            sx={{
              display: 'grid',
              gridTemplateColumns: 'minmax(0,1fr) auto',
              gap: '0 12px',
              py: 1,
              borderTop: 1,
              borderColor: 'divider',
              '&:first-of-type': { borderTop: 0 },
            }}
          >
            <span>
              <MovementName movement={movement} />
            </span>
            <Box
              component="span"
              sx={{
                fontWeight: 600,
                fontVariantNumeric: 'tabular-nums',
                color: movement.kind === 'hold' ? 'text.secondary' : movement.amount > 0 ? 'primary.ink' : 'text.primary',
              }}
            >
              {signed(movement.amount, amount)}
            </Box>
            <Box component="span" sx={{ gridColumn: '1 / -1', fontSize: 13, color: 'text.tertiary' }}>
              {instantShort(movement.at, language)} · <MovementNote movement={movement} />
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

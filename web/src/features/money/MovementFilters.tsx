import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useTranslation } from 'react-i18next';
import { kindWords, MOVEMENT_KINDS, readKind } from '../../parts/balance/movements.ts';
import type { MovementFilter } from '../../shared/api/money.ts';
import { DateField } from '../../shared/legacy/DateField.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';

interface Props {
  filter: MovementFilter;
  badRange: boolean;
  onChange: (filter: MovementFilter) => void;
}

const ALL = 'all';

/** Which movements: by kind and by day, both ends included. */
export function MovementFilters({ filter, badRange, onChange }: Props) {
  const { t } = useTranslation();
  const put = (part: Partial<Record<keyof MovementFilter, string | null | undefined>>) =>
    onChange(Object.fromEntries(Object.entries({ ...filter, ...part }).filter(([, value]) => value)));
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Box
        sx={{
          display: 'grid',
          gap: 1.5,
          alignItems: 'end',
          gridTemplateColumns: { xs: 'minmax(0,1fr) minmax(0,1fr)', sm: 'minmax(0,220px) repeat(2, minmax(0,190px)) auto' },
        }}
      >
        <Box sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' } }}>
          <Box
            component="span"
            id="movement-kind"
            sx={{ display: 'block', fontSize: 14, fontWeight: 600, lineHeight: 1.5, mb: 0.75 }}
          >
            {t('movements.kind')}
          </Box>
          <Select
            fullWidth
            value={filter.kind ?? ALL}
            onChange={(event) => put({ kind: readKind(event.target.value) })}
            slotProps={{ root: { 'aria-labelledby': 'movement-kind' } }}
            SelectDisplayProps={{ 'aria-labelledby': 'movement-kind' }}
          >
            <MenuItem value={ALL}>{t('movements.allKinds')}</MenuItem>
            {MOVEMENT_KINDS.map((kind) => (
              <MenuItem key={kind} value={kind}>
                {t(kindWords(kind).name)}
              </MenuItem>
            ))}
          </Select>
        </Box>
        <DateField label={t('movements.from')} value={filter.from ?? null} onChange={(from) => put({ from })} />
        <DateField
          label={t('movements.to')}
          value={filter.to ?? null}
          min={filter.from}
          error={badRange}
          onChange={(to) => put({ to })}
        />
        {Object.keys(filter).length > 0 && (
          <Button variant="text" onClick={() => onChange({})} sx={{ justifySelf: 'start' }}>
            {t('movements.clear')}
          </Button>
        )}
      </Box>
      {badRange && <Notice tone="error">{t('movements.badRange')}</Notice>}
    </Box>
  );
}

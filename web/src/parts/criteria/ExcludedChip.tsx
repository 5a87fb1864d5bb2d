import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { type DayRange, rangeDays } from '../../shared/format/excludedDates.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';

/** One excluded day or range, with its removal. */
export function ExcludedChip({ range, onRemove }: { range: DayRange; onRemove: () => void }) {
  const { t } = useTranslation();
  const days = rangeDays(range);
  const text = days === 1 ? range.start : t('unit.range', { start: range.start, end: range.end });
  return (
    <Box
      component="li"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.5,
        height: 36,
        pl: 1.75,
        pr: 0.5,
        borderRadius: '999px',
        bgcolor: 'neutral.soft',
        fontSize: { xs: 13, sm: 14 },
        fontWeight: 500,
        whiteSpace: 'nowrap',
      }}
    >
      {text}
      {days > 1 && (
        <Box component="small" sx={{ fontSize: 12, color: 'text.tertiary', ml: 0.5 }}>
          {t('unit.days', { count: days })}
        </Box>
      )}
      <IconButton size="small" aria-label={t('editor.remove', { what: text })} onClick={onRemove} sx={{ width: 28, height: 28 }}>
        <Icon name="x" size={16} />
      </IconButton>
    </Box>
  );
}

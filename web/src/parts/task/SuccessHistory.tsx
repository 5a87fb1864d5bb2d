import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { SuccessEntry } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { instantShort } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';

/** What was won, newest first: when, from which date to which, and how many days it gained. */
export function SuccessHistory({ entries }: { entries: SuccessEntry[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const sorted = [...entries].sort((a, b) => b.timestamp.localeCompare(a.timestamp));
  return (
    <Box>
      <Box component="h4" sx={{ display: 'flex', gap: 1, fontSize: 13, fontWeight: 600, color: 'text.secondary', mb: 1 }}>
        {t('task.history')}
        <Box component="span" sx={{ fontWeight: 500, color: 'text.tertiary' }}>
          {entries.length}
        </Box>
      </Box>
      <Box component="ul">
        {sorted.map((entry) => (
          <Box
            component="li"
            key={entry.timestamp}
            sx={{
              display: 'grid',
              gridTemplateColumns: { xs: '1fr auto', sm: 'auto 1fr auto' },
              gap: '2px 16px',
              alignItems: 'center',
              py: 1.25,
              fontSize: 14,
              borderTop: 1,
              borderColor: 'divider',
              '&:first-of-type': { borderTop: 0, pt: 0.25 },
            }}
          >
            <Box sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' }, fontSize: 13, color: 'text.tertiary', whiteSpace: 'nowrap' }}>
              {instantShort(entry.timestamp, language)}
            </Box>
            <Box sx={{ display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', gap: '0 8px' }}>
              {entry.fromDate && (
                <>
                  <Box component="s" sx={{ color: 'text.tertiary', whiteSpace: 'nowrap' }}>
                    {entry.fromDate}
                  </Box>
                  <Box sx={{ color: 'primary.main' }}>
                    <Icon name="arrowRight" size={15} />
                  </Box>
                </>
              )}
              <Box component="b" sx={{ fontWeight: 600, whiteSpace: 'nowrap' }}>
                {entry.date}
              </Box>
              <Box component="span" sx={{ color: 'text.secondary' }}>
                {cityName(entry.toLocation)}
              </Box>
            </Box>
            <Box sx={{ fontSize: 15, fontWeight: 600, color: 'primary.ink', whiteSpace: 'nowrap' }}>
              {entry.daysAdvanced === null ? t('task.firstBooking') : t('task.gained', { count: entry.daysAdvanced })}
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

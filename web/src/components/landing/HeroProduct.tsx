import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { addDays } from '../../lib/dates.ts';
import { useToday } from '../../lib/useToday.ts';
import { Icon } from '../../ui/Icon.tsx';
import { LiveDot } from '../../ui/LiveDot.tsx';
import { DateLine } from '../dateline/DateLine.tsx';

const WON = 77;
const BEFORE = 266;
const log = [
  { at: '21:40:06', words: 'landing.log1' },
  { at: '21:40:07', words: 'landing.log2' },
  { at: '21:40:09', words: 'landing.log3' },
] as const;

/** A piece of the real product with invented data, labelled as such: a booking that has just arrived. */
export function HeroProduct() {
  const { t } = useTranslation();
  const today = useToday();
  const won = addDays(today, WON);
  const before = addDays(today, BEFORE);
  return (
    <Box
      component="figure"
      sx={{
        position: 'relative',
        mt: { xs: 3, md: 5 },
        p: { xs: 2, sm: '18px 22px 16px' },
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'divider',
        borderRadius: '16px',
        boxShadow: 24,
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px 12px', fontSize: 14 }}>
        <Box
          component="span"
          sx={{
            display: 'inline-flex',
            alignItems: 'center',
            gap: 1,
            px: 1.25,
            height: 26,
            borderRadius: '999px',
            bgcolor: 'primary.soft',
            color: 'primary.ink',
            fontSize: 13,
            fontWeight: 600,
          }}
        >
          <LiveDot />
          {t('task.monitoring')}
        </Box>
        <b>{t('landing.demoNames')}</b>
      </Box>
      <Box
        sx={{
          display: 'flex',
          gap: 1.5,
          alignItems: 'center',
          mt: 2,
          p: '12px 14px',
          borderRadius: '12px',
          bgcolor: 'side.main',
          color: 'side.contrastText',
        }}
      >
        <Icon name="calendarCheck" size={24} />
        <div>
          <Typography sx={{ fontSize: 16, fontWeight: 600, lineHeight: 1.45 }}>{t('landing.demoWon', { date: won })}</Typography>
          <Typography sx={{ fontSize: 13 }}>{t('landing.demoWonText')}</Typography>
        </div>
      </Box>
      <Box sx={{ mt: 1.5, mb: 0.5 }}>
        <DateLine
          today={today}
          present={won}
          earlierDates={[before]}
          window={{ start: addDays(today, 21), end: addDays(today, 127) }}
        />
      </Box>
      <Box
        component="ul"
        sx={{ display: 'grid', gap: 0.75, pt: 1.5, borderTop: 1, borderColor: 'divider', fontSize: 13, color: 'text.secondary' }}
      >
        {log.map((row, index) => {
          const last = index === log.length - 1;
          return (
            <Box
              component="li"
              key={row.at}
              sx={{ display: 'grid', gridTemplateColumns: '58px 18px 1fr', gap: 1, alignItems: 'center' }}
            >
              <Box component="span" sx={{ color: 'text.tertiary', fontVariantNumeric: 'tabular-nums' }}>
                {row.at}
              </Box>
              <Box sx={{ justifySelf: 'center', color: last ? 'primary.main' : 'text.tertiary' }}>
                <Icon name={last ? 'checkCircle' : 'eye'} size={16} />
              </Box>
              <Box component="span" sx={{ color: last ? 'text.primary' : undefined, fontWeight: last ? 600 : 400 }}>
                {t(row.words, { date: won })}
              </Box>
            </Box>
          );
        })}
      </Box>
      <Box component="figcaption" sx={{ position: 'absolute', right: 4, bottom: -26, fontSize: 12, color: 'text.tertiary' }}>
        {t('landing.demoData')}
      </Box>
    </Box>
  );
}

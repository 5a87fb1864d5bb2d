import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/iconPaths.tsx';

const frame = {
  height: 200,
  p: 2.5,
  borderRadius: '16px',
  bgcolor: 'background.quiet',
  border: 1,
  borderColor: 'divider',
  display: 'grid',
  alignContent: 'center',
  overflow: 'hidden',
} as const;

const row = {
  display: 'flex',
  alignItems: 'center',
  gap: 1.25,
  px: 1.5,
  py: 1,
  borderRadius: '12px',
  bgcolor: 'background.paper',
  border: 1,
  borderColor: 'divider',
  fontSize: 13,
  lineHeight: 1.5,
} as const;

const seen = [
  [0, 1, 0, 2, 0, 1, 0, 3],
  [1, 0, 0, 1, 0, 0, 2, 0],
  [0, 0, 1, 0, 0, 3, 0, 4],
] as const;
const cities = ['Ottawa', 'Toronto', 'Montreal'] as const;

/** Looks at three cities over an evening: the darker, the more dates were there. */
export function LooksFragment() {
  const { t } = useTranslation();
  return (
    <Box aria-hidden sx={frame}>
      <Box sx={{ display: 'grid', gap: 0.75, gridTemplateColumns: 'auto repeat(8, 1fr)', alignItems: 'center', fontSize: 12 }}>
        <span />
        {['20:10', '', '', '20:55', '', '', '', '21:40'].map((at, index) => (
          <Box key={index} sx={{ color: 'text.tertiary', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap', width: 0 }}>
            {at}
          </Box>
        ))}
        {seen.map((levels, line) => (
          <Box key={cities[line]} sx={{ display: 'contents' }}>
            <Box component="span" sx={{ pr: 1, color: 'text.secondary' }}>
              {t(`landing.city${line as 0 | 1 | 2}`)}
            </Box>
            {levels.map((level, index) => (
              <Box key={index} sx={{ height: 26, borderRadius: '6px', bgcolor: `heat.${level}` }} />
            ))}
          </Box>
        ))}
      </Box>
    </Box>
  );
}

/** The same good news on three channels. */
export function AlertsFragment() {
  const { t } = useTranslation();
  const alerts: { icon: IconName; words: 'landing.alertMail' | 'landing.alertPage' | 'landing.alertSoon' }[] = [
    { icon: 'mail', words: 'landing.alertMail' },
    { icon: 'computer', words: 'landing.alertPage' },
    { icon: 'phone', words: 'landing.alertSoon' },
  ];
  return (
    <Box aria-hidden sx={{ ...frame, gap: 1 }}>
      {alerts.map((alert, index) => (
        <Box key={alert.words} sx={{ ...row, color: index === 2 ? 'text.tertiary' : undefined }}>
          <Box sx={{ color: index === 2 ? 'text.tertiary' : 'primary.main' }}>
            <Icon name={alert.icon} size={18} />
          </Box>
          {t(alert.words)}
        </Box>
      ))}
    </Box>
  );
}

/** A date that meets every condition, booked. */
export function ConditionsFragment() {
  const { t } = useTranslation();
  const met = ['landing.met1', 'landing.met2', 'landing.met3', 'landing.met4'] as const;
  return (
    <Box aria-hidden sx={{ ...frame, gap: 1.25 }}>
      <Box sx={{ display: 'grid', gap: 0.75, gridTemplateColumns: '1fr 1fr' }}>
        {met.map((words) => (
          <Box key={words} sx={{ ...row, px: 1, py: 0.75, gap: 0.75 }}>
            <Box sx={{ color: 'primary.main' }}>
              <Icon name="check" size={16} />
            </Box>
            {t(words)}
          </Box>
        ))}
      </Box>
      <Box sx={{ ...row, bgcolor: 'side.main', color: 'side.contrastText', borderColor: 'transparent', fontWeight: 600 }}>
        <Icon name="calendarCheck" size={18} />
        {t('landing.metDone')}
      </Box>
    </Box>
  );
}

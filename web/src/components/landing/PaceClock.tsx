import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';

const LOOKS_MINUTES = [3, 14, 26, 41];
const NEXT_MINUTE = 52;
const at = (minute: number, radius: number) => {
  const angle = (minute / 60) * 2 * Math.PI - Math.PI / 2;
  return { cx: 120 + radius * Math.cos(angle), cy: 120 + radius * Math.sin(angle) };
};

/** An hour as a dial: the looks of it, the next one, and how many there may be at most. */
export function PaceClock() {
  const { t } = useTranslation();
  const { vars } = useTheme();
  const { primary, divider, text, background } = vars.palette;
  return (
    <Box
      component="figure"
      sx={{
        borderRadius: '24px',
        bgcolor: 'background.quiet',
        border: 1,
        borderColor: 'divider',
        p: 4,
        display: 'grid',
        placeItems: 'center',
        alignContent: 'center',
        gap: 2,
      }}
    >
      <svg viewBox="0 0 240 240" width="240" height="240" aria-hidden="true">
        <circle cx="120" cy="120" r="104" fill={background.paper} stroke={divider} />
        {Array.from({ length: 12 }, (_, n) => {
          const outer = at(n * 5, 96);
          const inner = at(n * 5, 90);
          return <line key={n} x1={inner.cx} y1={inner.cy} x2={outer.cx} y2={outer.cy} stroke={divider} strokeWidth="2" />;
        })}
        {LOOKS_MINUTES.map((minute) => (
          <circle key={minute} {...at(minute, 76)} r="7" fill={primary.main} />
        ))}
        <circle
          {...at(NEXT_MINUTE, 76)}
          r="6"
          fill={background.paper}
          stroke={primary.main}
          strokeWidth="2"
          strokeDasharray="3 3"
        />
        <text x="120" y="124" textAnchor="middle" fontSize="34" fontWeight="600" fill={text.primary}>
          4 / 6
        </text>
        <text x="120" y="148" textAnchor="middle" fontSize="13" fill={text.secondary}>
          {t('landing.paceCaption')}
        </text>
      </svg>
      <Box component="figcaption" sx={{ fontSize: 13, color: 'text.tertiary', textAlign: 'center' }}>
        {t('landing.paceNote')}
      </Box>
    </Box>
  );
}

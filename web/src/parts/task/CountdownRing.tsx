import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../shared/hooks/useNow.ts';

const FULL_MS = 15 * 60_000;
const ROUND = 100.5;

/** Minutes and seconds; hours too when it is long. */
function written(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** The time to the next look as a ring and figures; outside the live region, since it ticks. */
export function CountdownRing({ nextAt, large }: { nextAt: string; large?: boolean }) {
  const { t } = useTranslation();
  const now = useNow(1_000);
  const leftMs = Date.parse(nextAt) - now;
  const share = Math.min(1, Math.max(0, leftMs / FULL_MS));
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.25,
        alignSelf: 'stretch',
        pl: { xs: 0, sm: 1.75 },
        pt: { xs: 1.25, sm: 0 },
        mt: { xs: 0.75, sm: 0 },
        borderLeftWidth: { xs: 0, sm: 1 },
        borderTopWidth: { xs: 1, sm: 0 },
        borderRightWidth: 0,
        borderBottomWidth: 0,
        borderStyle: 'solid',
        borderColor: 'primary.soft2',
        gridColumn: { xs: '1 / -1', sm: 'auto' },
      }}
    >
      <Box
        component="svg"
        viewBox="0 0 36 36"
        aria-hidden
        sx={{
          width: large ? { xs: 40, sm: 52 } : 36,
          height: large ? { xs: 40, sm: 52 } : 36,
          transform: 'rotate(-90deg)',
          flex: 'none',
          '& circle': { fill: 'none', strokeWidth: 3.5 },
        }}
      >
        <Box component="circle" cx="18" cy="18" r="16" sx={{ stroke: 'var(--mui-palette-primary-soft2)' }} />
        <Box
          component="circle"
          cx="18"
          cy="18"
          r="16"
          strokeDasharray={`${share * ROUND} ${ROUND}`}
          sx={{ stroke: 'var(--mui-palette-primary-main)', strokeLinecap: 'round' }}
        />
      </Box>
      <Box sx={{ display: { xs: 'flex', sm: 'block' }, alignItems: 'baseline', gap: 1 }}>
        <Box
          sx={{ fontSize: large ? { xs: 24, sm: 28 } : 20, lineHeight: 1.1, fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}
        >
          {leftMs > 0 ? written(leftMs) : t('verdict.now')}
        </Box>
        <Box sx={{ fontSize: 12, fontWeight: 500, color: 'text.secondary' }}>
          {leftMs > 0 ? t('verdict.untilNext') : t('verdict.looking')}
        </Box>
      </Box>
    </Box>
  );
}

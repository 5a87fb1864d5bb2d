import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Words } from '../../i18n/words.ts';
import { useNow } from '../../lib/useNow.ts';
import { Mark } from '../../ui/Mark.tsx';

const tips: Words[] = ['overlay.tip1', 'overlay.tip2', 'overlay.tip3', 'overlay.tip4', 'overlay.tip5'];
const TIP_MS = 4_000;

/** Covers the page while the portal is signed in to: what happens, for how long already, and something worth knowing. */
export function VerifyOverlay({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation();
  const [startedMs] = useState(() => Date.now());
  const now = useNow(1_000);
  const seconds = Math.max(0, Math.floor((now - startedMs) / 1000));
  const tip = tips[Math.floor((seconds * 1000) / TIP_MS) % tips.length] ?? 'overlay.tip1';
  return (
    <Dialog
      open
      fullScreen
      aria-labelledby="verify-title"
      slotProps={{ paper: { sx: { borderRadius: 0, m: 0, bgcolor: 'background.default' } } }}
    >
      <Box sx={{ display: 'grid', placeItems: 'center', flex: 1, p: 3 }}>
        <Box sx={{ width: '100%', maxWidth: 440, display: 'grid', gap: 2, justifyItems: 'center', textAlign: 'center' }}>
          <Mark size={56} />
          <Typography id="verify-title" variant="h4" component="h2">
            {t('overlay.title')}
          </Typography>
          <Typography color="textSecondary">{seconds < 8 ? t('overlay.signing') : t('overlay.reading')}</Typography>
          <LinearProgress
            aria-label={t('overlay.title')}
            sx={{ width: '100%', height: 8, borderRadius: '4px', bgcolor: 'background.track' }}
          />
          <Typography variant="caption" color="textTertiary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {t('overlay.elapsed', { count: seconds })}
          </Typography>
          <Typography variant="body2" aria-live="polite" sx={{ minHeight: 68, mt: 1 }}>
            {t(tip)}
          </Typography>
          <Button variant="ghost" onClick={onCancel}>
            {t('overlay.cancel')}
          </Button>
        </Box>
      </Box>
    </Dialog>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerifyProgress } from '../../shared/api/types.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { useOnline } from '../../shared/hooks/useOnline.ts';
import { Mark } from '../../shared/ui/Mark.tsx';
import { wizardQueries } from './queries.ts';
import { percentOf, stageWords, stepNumber, tipAt } from './verifyStages.ts';

/** After so long we say that it is the official site that is slow. */
const SLOW_AFTER_SECONDS = 30;

interface Props {
  /** Names the verification the server is asked about. */
  progressId: string;
  onCancel: () => void;
}

/** Covers the page while the portal is signed in to: what the server does at this moment, for how long already, and something worth knowing. */
export function VerifyOverlay({ progressId, onCancel }: Props) {
  const { t } = useTranslation();
  const online = useOnline();
  const [startedMs] = useState(() => Date.now());
  const now = useNow(1_000);
  const { data: progress } = useQuery({ ...wizardQueries.progress(progressId), enabled: progressId !== '' });
  const seconds = Math.max(0, Math.floor((now - startedMs) / 1000));
  const percent = percentOf(progress);
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
          <Typography color="textSecondary" role="status">
            {t(stageWords(progress?.stage))}
          </Typography>
          <LinearProgress
            aria-label={t('overlay.title')}
            variant={percent === null ? 'indeterminate' : 'determinate'}
            value={percent ?? undefined}
            sx={{ width: '100%', height: 8, borderRadius: '4px', bgcolor: 'background.track' }}
          />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: '2px 16px', minHeight: 21 }}>
            {progress && <Counts progress={progress} />}
            <Typography variant="caption" color="textTertiary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
              {t('overlay.elapsed', { count: seconds })}
            </Typography>
          </Box>
          {(!online || seconds >= SLOW_AFTER_SECONDS) && (
            <Typography variant="body2" role="status" sx={{ fontWeight: 500 }}>
              {online ? t('overlay.longer') : t('overlay.offline')}
            </Typography>
          )}
          <Typography variant="body2" aria-live="polite" sx={{ minHeight: 68, mt: 1 }}>
            {t(tipAt(seconds))}
          </Typography>
          <Button variant="ghost" onClick={onCancel}>
            {t('overlay.cancel')}
          </Button>
        </Box>
      </Box>
    </Dialog>
  );
}

/** "Step 3 of 6" and, once they are known, how many groups were found and read. */
function Counts({ progress }: { progress: VerifyProgress }) {
  const { t } = useTranslation();
  const { stage, steps, groups_found: found, groups_read: read } = progress;
  if (stage === 'failed' || steps <= 0) return null;
  return (
    <>
      <Typography variant="caption" color="textSecondary" sx={{ fontWeight: 600 }}>
        {t('overlay.stepOf', { step: stepNumber(progress), steps })}
      </Typography>
      {found !== null && (
        <Typography variant="caption" color="textSecondary">
          {read === null ? t('overlay.groupsFound', { count: found }) : t('overlay.groupsRead', { read, found })}
        </Typography>
      )}
    </>
  );
}

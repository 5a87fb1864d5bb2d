import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerifyProgress } from '../../shared/api/types.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { useOnline } from '../../shared/hooks/useOnline.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Mark } from '../../shared/ui/Mark.tsx';
import { Progress } from '../../shared/ui/Progress.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { wizardQueries } from './queries.ts';
import styles from './VerifyOverlay.module.css';
import { percentOf, stageTexts, stepNumber, tipAt } from './verifyStages.ts';

/** Delay after which the overlay states that the official site is slow. */
const SLOW_AFTER_SECONDS = 30;
/**
 * Time for which the bar stays empty if the server reports no progress. A bar that ran ahead would
 * have to move back later.
 */
const SILENT_SECONDS = 3;

interface Props {
  /** Id of the verification, with which its progress is requested. */
  progressId: string;
  onCancel: () => void;
}

/**
 * Renders an overlay during the sign-in at the portal: the present stage, the elapsed time, and a
 * tip.
 */
export function VerifyOverlay({ progressId, onCancel }: Props) {
  const { t } = useTranslation();
  const online = useOnline();
  const overlay = useRef<HTMLDivElement>(null);
  const [startedMs] = useState(() => Date.now());
  const now = useNow(1_000);
  const seconds = Math.max(0, Math.floor((now - startedMs) / 1000));
  // Waits a second before the first request, because the server knows the verification only after
  // its request has arrived.
  const { data: progress } = useQuery({ ...wizardQueries.progress(progressId), enabled: progressId !== '' && seconds > 0 });
  const percent = percentOf(progress) ?? (seconds < SILENT_SECONDS ? 0 : null);
  return (
    <Dialog.Root open disablePointerDismissal>
      <Dialog.Portal>
        {/* The overlay itself gets the focus, so that holding down Enter does not press
         *Cancel*. */}
        <Dialog.Popup ref={overlay} initialFocus={overlay} className={styles.overlay}>
          <div className={styles.column}>
            <Mark size={56} />
            <Dialog.Title render={<Text as="h2" variant="title" />}>{t('overlay.title')}</Dialog.Title>
            <Text color="secondary" role="status">
              {t(stageTexts(progress?.stage))}
            </Text>
            <div className={styles.bar}>
              <Progress label={t('overlay.title')} value={percent} />
            </div>
            <div className={styles.counts}>
              {progress && <Counts progress={progress} />}
              <span className={styles.elapsed}>{t('overlay.elapsed', { count: seconds })}</span>
            </div>
            {(!online || seconds >= SLOW_AFTER_SECONDS) && (
              <Text variant="small" role="status">
                {online ? t('overlay.longer') : t('overlay.offline')}
              </Text>
            )}
            <p aria-live="polite" className={styles.tip}>
              {t(tipAt(seconds))}
            </p>
            <Button variant="ghost" onClick={onCancel}>
              {t('overlay.cancel')}
            </Button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Renders the current step, such as "Step 3 of 6", and the numbers of groups found and read. */
function Counts({ progress }: { progress: VerifyProgress }) {
  const { t } = useTranslation();
  const { stage, steps, groups_found: found, groups_read: read } = progress;
  if (stage === 'failed' || steps <= 0) return null;
  return (
    <>
      <span className={styles.step}>{t('overlay.stepOf', { step: stepNumber(progress), steps })}</span>
      {found !== null && (
        <span>{read === null ? t('overlay.groupsFound', { count: found }) : t('overlay.groupsRead', { read, found })}</span>
      )}
    </>
  );
}

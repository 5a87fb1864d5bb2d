import type { VerifyProgress } from '../../shared/api/types.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

const texts = {
  queued: 'overlay.stage_queued',
  connecting: 'overlay.stage_connecting',
  signing_in: 'overlay.stage_signing_in',
  reading_groups: 'overlay.stage_reading_groups',
  reading_details: 'overlay.stage_reading_details',
  saving: 'overlay.stage_saving',
  done: 'overlay.stage_done',
  failed: 'overlay.stage_failed',
} as const satisfies Record<VerifyProgress['stage'], TextKey>;

/** Tips that the overlay shows in turn. Every third text is an encouragement. */
const overlayTips: TextKey[] = [
  'overlay.tip1',
  'overlay.tip2',
  'overlay.cheer1',
  'overlay.tip3',
  'overlay.tip4',
  'overlay.cheer2',
  'overlay.tip5',
  'overlay.cheer3',
];
const TIP_MS = 4_000;

/** Returns the tip for a number of elapsed seconds. */
export function tipAt(seconds: number): TextKey {
  return overlayTips[Math.floor((seconds * 1000) / TIP_MS) % overlayTips.length] ?? 'overlay.tip1';
}

/** Returns the text for a stage of the server. Unknown stages have a general text. */
export function stageTexts(stage: string | undefined): TextKey {
  return texts[stage as keyof typeof texts] ?? 'overlay.working';
}

/** Returns the number of the current step, from 1. */
export const stepNumber = ({ step, steps }: VerifyProgress) => Math.min(step + 1, steps);

/**
 * Returns the progress from 0 to 100, or null if the server does not report it. While the groups
 * are read, their number counts too.
 */
export function percentOf(progress: VerifyProgress | undefined): number | null {
  if (!progress || progress.steps <= 0) return null;
  if (progress.stage === 'done') return 100;
  const { stage, step, steps, groups_found: found, groups_read: read } = progress;
  const within = stage === 'reading_details' && found ? Math.min(1, (read ?? 0) / found) : 0;
  return Math.round((Math.min(steps, step + within) / steps) * 100);
}

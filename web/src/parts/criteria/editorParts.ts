import type { TextKey } from '../../shared/i18n/textKey.ts';

/**
 * Name of a section of the editor that can have a problem. On the page it is the attribute
 * `data-part`.
 */
export type EditorPart =
  | 'appointments'
  | 'window'
  | 'cities'
  | 'minDays'
  | 'excluded'
  | 'days'
  | 'fingerprints'
  | 'changes'
  | 'consent';

const parts: Partial<Record<TextKey, EditorPart>> = {
  'wizard.selectOne': 'appointments',
  'editor.rangeRequired': 'window',
  'editor.rangeInvalid': 'window',
  'editor.startPast': 'window',
  'editor.endPast': 'window',
  'editor.windowTooLong': 'window',
  'editor.tooFar': 'window',
  'editor.minDaysInvalid': 'minDays',
  'editor.excludedOutside': 'excluded',
  'editor.timesInvalid': 'days',
  'editor.fingerprintsInvalid': 'fingerprints',
  'editor.fingerprintsOrder': 'fingerprints',
  'editor.fingerprintsCity': 'fingerprints',
  'editor.cityRequired': 'cities',
  'editor.improvementInvalid': 'changes',
  'editor.reschedulesInvalid': 'changes',
  'editor.lastAttemptRequired': 'consent',
};

const folded: EditorPart[] = ['minDays', 'excluded', 'days', 'fingerprints', 'changes', 'consent'];

/** Returns whether a problem is in a section that may be closed. */
export function isFolded(problem: TextKey): boolean {
  const part = partOf(problem);
  return part !== null && folded.includes(part);
}

/** Returns the section that can fix a problem of the form. */
export function partOf(problem: TextKey): EditorPart | null {
  return parts[problem] ?? null;
}

const INVALID = '[aria-invalid="true"]';
const CONTROLS = 'input, button:not([disabled])';

/**
 * Scrolls to the section that can fix `problem`, and focuses its first invalid field, or else its
 * first control.
 */
export function goToProblem(problem: TextKey): void {
  const part = document.querySelector<HTMLElement>(`[data-part="${partOf(problem)}"]`);
  if (!part) return;
  part.closest('details')?.setAttribute('open', '');
  const control = part.querySelector<HTMLElement>(INVALID) ?? part.querySelector<HTMLElement>(CONTROLS);
  control?.focus({ preventScroll: true });
  part.scrollIntoView({ block: 'start' });
}

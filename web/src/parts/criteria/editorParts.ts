import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Parts of the parameter editor that can have a problem. `data-part` names them on the page. */
export type EditorPart = 'appointments' | 'window' | 'cities' | 'minDays' | 'excluded' | 'days' | 'changes';

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
  'editor.cityRequired': 'cities',
  'editor.improvementInvalid': 'changes',
  'editor.reschedulesInvalid': 'changes',
  'editor.lastAttemptRequired': 'changes',
};

const folded: EditorPart[] = ['minDays', 'excluded', 'days', 'changes'];

/** Returns whether a problem is in a part that may be folded. */
export function isFolded(problem: TextKey): boolean {
  const part = partOf(problem);
  return part !== null && folded.includes(part);
}

/** Returns the part where a problem of the form can be fixed. */
export function partOf(problem: TextKey): EditorPart | null {
  return parts[problem] ?? null;
}

const CONTROLS = 'input, button:not([disabled])';

/** Scrolls to the part where `problem` can be fixed and focuses its first control. */
export function goToProblem(problem: TextKey): void {
  const part = document.querySelector<HTMLElement>(`[data-part="${partOf(problem)}"]`);
  if (!part) return;
  part.closest('details')?.setAttribute('open', '');
  part.querySelector<HTMLElement>(CONTROLS)?.focus({ preventScroll: true });
  part.scrollIntoView({ block: 'start' });
}

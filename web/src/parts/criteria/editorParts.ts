import type { Words } from '../../shared/i18n/words.ts';

/** The parts of the parameter editor a problem can lie in, as `data-part` names them on the page. */
export type EditorPart = 'appointments' | 'window' | 'cities' | 'minDays' | 'excluded' | 'days' | 'changes';

const parts: Partial<Record<Words, EditorPart>> = {
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

/** Whether a problem lies in a part that may be folded. */
export function isFolded(problem: Words): boolean {
  const part = partOf(problem);
  return part !== null && folded.includes(part);
}

/** Where a problem of the form is mended. */
export function partOf(problem: Words): EditorPart | null {
  return parts[problem] ?? null;
}

const CONTROLS = 'input, button:not([disabled])';

/** Leads to the part of the page where `problem` is mended and focuses its first control. */
export function goToProblem(problem: Words): void {
  const part = document.querySelector<HTMLElement>(`[data-part="${partOf(problem)}"]`);
  if (!part) return;
  part.closest('details')?.setAttribute('open', '');
  part.querySelector<HTMLElement>(CONTROLS)?.focus({ preventScroll: true });
  part.scrollIntoView({ block: 'start' });
}

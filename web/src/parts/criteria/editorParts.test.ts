// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { goToProblem, partOf } from './editorParts.ts';
import { defaultForm, formProblems, noFingerprints } from './searchForm.ts';

afterEach(() => {
  document.body.innerHTML = '';
});

it('maps every problem of the form to the section that fixes it', () => {
  const form = defaultForm('2026-11-24');
  const wrong = {
    ...form,
    minDays: 999,
    minImprovement: 0,
    maxReschedules: 0,
    lastAttemptUntil: '',
    earliestTime: '09:00',
    latestTime: '08:00',
    excluded: [{ start: '2020-01-01', end: '2020-01-01' }],
  };
  const found = new Set([
    ...formProblems(wrong, '2026-11-24'),
    ...formProblems({ ...form, start: null }, '2026-11-24'),
    ...formProblems({ ...form, end: '2020-01-01' }, '2026-11-24'),
    ...formProblems(form, '2028-01-01'),
    ...formProblems({ ...form, end: '2040-01-01' }, '2026-11-24'),
    ...formProblems({ ...form, start: '2026-11-20' }, '2026-11-24'),
    ...formProblems({ ...form, fingerprints: { min_days_before: 0, max_days_before: null, cities: [] } }, '2026-11-24'),
    ...formProblems({ ...form, fingerprints: { min_days_before: 2, max_days_before: 1, cities: [] } }, '2026-11-24'),
  ]);
  for (const problem of formProblems(
    { ...form, fingerprints: { ...noFingerprints, cities: ['a', 'b', 'c', 'd'] } },
    '2026-11-24',
  ))
    found.add(problem);
  expect(found.size).toBe(15);
  for (const problem of found) expect([problem, partOf(problem)]).not.toContain(null);
  expect(partOf('wizard.selectOne')).toBe('appointments');
});

it('scrolls to the section and focuses its first control', () => {
  document.body.innerHTML =
    '<section data-part="appointments"><input id="first"></section><section data-part="cities"><button>a</button></section>';
  const scrolled = vi.fn();
  Element.prototype.scrollIntoView = scrolled;
  goToProblem('wizard.selectOne');
  expect(document.activeElement?.id).toBe('first');
  expect(scrolled.mock.contexts[0]).toBe(document.querySelector('[data-part="appointments"]'));
  goToProblem('editor.cityRequired');
  expect(document.activeElement?.tagName).toBe('BUTTON');
});

it('focuses the invalid field of the section', () => {
  document.body.innerHTML = '<section data-part="fingerprints"><input id="least"><input id="most" aria-invalid="true"></section>';
  Element.prototype.scrollIntoView = vi.fn();
  goToProblem('editor.fingerprintsOrder');
  expect(document.activeElement?.id).toBe('most');
});

it('opens the closed section that contains the problem', () => {
  document.body.innerHTML = '<details><summary>more</summary><section data-part="days"><input id="time"></section></details>';
  Element.prototype.scrollIntoView = vi.fn();
  goToProblem('editor.timesInvalid');
  expect(document.querySelector('details')?.open).toBe(true);
  expect(document.activeElement?.id).toBe('time');
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const shell = read('./AppShell.module.css');
const ofBar = (selector: string) => new RegExp(`:root:has\\(${selector}\\) \\{\\s*--foot-bar: (\\d+)px`).exec(shell)?.[1];

// jsdom has no layout, so the test reads the CSS. e2e/a11y.spec.ts checks it in a browser.
it('keeps the focused element above the bottom bar', () => {
  expect(ofBar('\\.overBar')).toBe('76');
  expect(ofBar('\\.overWizardBar')).toBe('88');
  expect(ofBar('\\[data-tall-bar\\]')).toBe('148');
  expect(shell).toContain('scroll-padding-bottom: calc(var(--foot-bar, 0px) + 48px)');
});

it('shows toasts above the bottom bar, and on a phone below the header', () => {
  const rules = read('../../shared/ui/Toast.module.css').match(/\.viewport \{[^}]*\}/g) ?? [];
  expect(rules[0]).toContain('bottom: calc(var(--foot-bar, 0px) + 16px)');
  expect(rules[0]).toContain('pointer-events: none');
  expect(rules[1]).toContain('top: calc(64px + env(safe-area-inset-top, 0px))');
});

it('opens menus, lists and calendars above toasts', () => {
  const level = (file: string) => Number(/z-index: (\d+)/.exec(read(`../../shared/ui/${file}`))?.[1]);
  expect(level('popup.module.css')).toBeGreaterThan(level('Toast.module.css'));
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const css = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const sizes = (rule: string) => [...rule.matchAll(/(?:^|[\s;{-])(?:width|height): (\d+)px/g)].map(([, px]) => Number(px));

// jsdom has no layout: the browser was asked by hand for what is pressed on each page.
it('gives pointers 24 px around what is smaller, and switches as many', () => {
  const [target = ''] = css('./target.module.css').match(/^\.target::before \{[^}]*\}/m) ?? [];
  expect(sizes(target)).toEqual([24, 24]);
  const [knob = ''] = css('./Checkbox.module.css').match(/\}\n\.switch \{[^}]*\}/) ?? [];
  expect(sizes(knob).every((px) => px >= 24)).toBe(true);
  expect(sizes(knob)).toHaveLength(2);
});

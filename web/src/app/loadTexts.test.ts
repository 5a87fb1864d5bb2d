// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';

it('uses the texts that the document contains in its language, and requests all others', async () => {
  document.body.innerHTML =
    '<script type="application/json" id="words" data-language="en">{"app/shell":{"brought":"here"}}</script>';
  vi.resetModules();
  const { loadTexts } = await import('./texts.ts');
  expect(await loadTexts('app/shell', 'en')).toEqual({ brought: 'here' });
  expect(await loadTexts('app/shell', 'zh')).toHaveProperty('shell');
  expect(await loadTexts('features/settings', 'en')).toHaveProperty('settings');
  await expect(loadTexts('nowhere', 'en')).rejects.toThrow('nowhere has no texts');
});

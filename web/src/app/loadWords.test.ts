// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';

it('uses the texts that the document contains in its language, and requests all others', async () => {
  document.body.innerHTML =
    '<script type="application/json" id="words" data-language="en">{"app/shell":{"brought":"here"}}</script>';
  vi.resetModules();
  const { loadWords } = await import('./words.ts');
  expect(await loadWords('app/shell', 'en')).toEqual({ brought: 'here' });
  expect(await loadWords('app/shell', 'zh')).toHaveProperty('shell');
  expect(await loadWords('features/settings', 'en')).toHaveProperty('settings');
  await expect(loadWords('nowhere', 'en')).rejects.toThrow('nowhere has no words');
});

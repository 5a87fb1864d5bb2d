import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const texts = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /words\/(en|zh)\.json$/.test(path))
  .map((path) => [path, readFileSync(`src/${path}`, 'utf8')] as const);

// An operator opens countries one by one, so no text may name a number of cities or one country.
it('no text counts the cities, or names one country as the only one', () => {
  expect(texts.length).toBeGreaterThan(40);
  const wrong = texts.flatMap(([path, text]) =>
    text
      .split('\n')
      .filter((line) => /seven cities|city or seven|up to seven|Canada|七座|加拿大/i.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(wrong).toEqual([]);
});

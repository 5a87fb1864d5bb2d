import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const texts = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /words\/(en|zh)\.json$/.test(path))
  .map((path) => [path, readFileSync(`src/${path}`, 'utf8')] as const);

const linesWith = (pattern: RegExp) =>
  texts.flatMap(([path, text]) =>
    text
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );

// An operator opens countries one by one, so no text may name a number of cities or one country.
it('no text counts the cities, or names one country as the only one', () => {
  expect(texts.length).toBeGreaterThan(40);
  expect(linesWith(/seven cities|city or seven|up to seven|Canada|七座|加拿大/i)).toEqual([]);
});

// The examples show no city, because its country may be closed here. Time zones keep their names.
it('no text names a city, except as a time zone', () => {
  const cities = /Ottawa|Montreal|Vancouver|Toronto(?! time)|渥太华|蒙特利尔|温哥华|多伦多(?!时间)/;
  expect(linesWith(cities).filter((line) => !/"(toronto|vancouver)": /.test(line))).toEqual([]);
});

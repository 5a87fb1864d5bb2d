import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { fail, type Handlers, ok } from './api.ts';
import { handlers } from './handler.ts';

const web = resolve(import.meta.dirname, '..');

it('handles every request of the app', () => {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: web }).map((file) => readFileSync(resolve(web, file), 'utf8'));
  const calls = sources.flatMap((text) => [...text.matchAll(/\.(GET|POST|PUT|DELETE)\(\s*'(\/[^']+)'/g)]);
  const made = new Set(calls.map(([, method, path]) => `${method} ${path}`));
  expect(made.size).toBeGreaterThan(40);
  expect([...made].filter((call) => !(call in handlers))).toEqual([]);
});

it('compiles only with responses that match the OpenAPI document', () => {
  const wrong: Handlers = {
    // @ts-expect-error A balance has a currency.
    'GET /users/credit': () => ok({ credit: 1, on_hold: 0 }),
    // @ts-expect-error The server has no such code.
    'GET /stats': () => fail(418, 'TEAPOT', 'no'),
  };
  // @ts-expect-error The server has no such call.
  const unknown: Handlers = { 'GET /users/debts': () => ok({}) };
  expect([...Object.keys(wrong), ...Object.keys(unknown)]).toHaveLength(3);
});

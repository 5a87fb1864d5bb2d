// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { claimEarlyResponse } from './early.ts';

const URL_ASKED = '/api/v1/users/credit';
const request = (path: string, token: string, method = 'GET') =>
  new Request(new URL(path, location.origin), { method, headers: { Authorization: `Bearer ${token}` } });

function asked() {
  window.early = [{ url: URL_ASKED, token: 'a', response: Promise.resolve(new Response('early')) }];
}

afterEach(() => {
  window.early = undefined;
  vi.restoreAllMocks();
});

it('returns the response to the document’s early request, and only once', async () => {
  asked();
  expect(await (await claimEarlyResponse(request(URL_ASKED, 'a')))?.text()).toBe('early');
  expect(claimEarlyResponse(request(URL_ASKED, 'a'))).toBeNull();
});

it.each([
  ['another address', request('/api/v1/users/credit?x=1', 'a')],
  ["somebody else's token", request(URL_ASKED, 'b')],
  ['a change', request(URL_ASKED, 'a', 'DELETE')],
])('returns nothing for %s', (_, other) => {
  asked();
  expect(claimEarlyResponse(other)).toBeNull();
  expect(window.early).toHaveLength(1);
});

it('discards early responses that are too old', () => {
  asked();
  vi.spyOn(performance, 'now').mockReturnValue(31_000);
  expect(claimEarlyResponse(request(URL_ASKED, 'a'))).toBeNull();
  expect(window.early).toBeUndefined();
});

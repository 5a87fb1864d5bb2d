import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { client } from '../api/client.ts';
import { folded, isCommon, isContext } from './commonPasswords.ts';

let get: MockInstance;

beforeEach(() => {
  get = vi.spyOn(client, 'GET');
});

afterEach(() => vi.restoreAllMocks());

const answering = (hashes: string[]) => get.mockResolvedValueOnce({ data: { success: true, data: { hashes } } } as never);

// spec: 10.7.61
describe('common passwords', () => {
  it('are compared without the usual additions', () => {
    expect(folded('  Password1! ')).toBe('password1');
    expect(folded('Ｐａｓｓｗｏｒｄ１')).toBe('password1');
  });

  it('are found by 12 bits of their hash', async () => {
    // The SHA-256 of password1 begins with 0b14d501a5.
    answering(['0b14d501a5', '0b1fffffff']);
    expect(await isCommon('Password1!')).toBe(true);
    expect(get).toHaveBeenCalledWith('/auth/common-passwords/{beginning}', { params: { path: { beginning: '0b1' } } });
    expect(await isCommon('Password1')).toBe(true);
    expect(get).toHaveBeenCalledTimes(1);
  });

  it('are accepted if the server does not answer', async () => {
    get.mockRejectedValueOnce(new Error('offline'));
    expect(await isCommon('Sunrise#2026')).toBeNull();
    answering([]);
    expect(await isCommon('Sunrise#2026')).toBe(false);
  });

  it.each([
    ['Sooner-2026!', true],
    ['早签Aa1!早签早签', true],
    ['Mei.Zhang1!', true],
    ['#Zhang2026a', true],
    ['MAPLE-1a2b!', true],
    ['Sooner-or-later-99', false],
    ['Zhang-kestrel-41', false],
    ['Mei1!Kestrel', false],
  ])('%s is too similar to the user’s address or our name: %s', (password, is) => {
    expect(isContext(password, 'mei.zhang@maple.example.com')).toBe(is);
  });
});

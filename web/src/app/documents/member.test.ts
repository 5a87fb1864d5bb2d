// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fail, ok } from '../../../mock/api.ts';
import { answerCalls } from '../../../mock/wire.ts';
import { sendWaitingDeletes, storeWaitingDeletes, waitingDeletes } from '../../parts/task/waitingDeletes.ts';
import { acceptLogin, endSession } from '../../shared/api/session.ts';
import { speakDocument } from '../../shared/i18n/speakDocument.ts';
import { restoreMember } from './member.ts';

const calls: { method: string; path: string; body: unknown }[] = [];

beforeEach(() => {
  calls.length = 0;
  answerCalls(({ method, path, body }) => {
    calls.push({ method, path, body });
    return ok({});
  });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

const lin = { id: '7', username: 'lin@example.com', email: 'lin@example.com' };

function signIn(): void {
  acceptLogin({ user: lin, access_token: 'a', refresh_token: 'r' } as Parameters<typeof acceptLogin>[0], true);
}

it('forgets what the browser knows of a member who signs out on an open page', async () => {
  signIn();
  await restoreMember();
  localStorage.setItem('sooner.verify.7.en-ca.niv.lin@example.com', '{}');
  endSession();
  expect(Object.keys(localStorage).filter((key) => key.startsWith('sooner.verify'))).toEqual([]);
});

it('makes the deletion that was under way when a page with tasks was left, and keeps what fails for such a page', async () => {
  signIn();
  storeWaitingDeletes(['t1', 't2']);
  answerCalls(({ method, path }) => {
    calls.push({ method, path, body: undefined });
    return path.endsWith('t2') ? fail(409, 'ACCOUNT_BUSY', '') : ok({});
  });
  expect(await sendWaitingDeletes()).toBe(true);
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /schedules/t1', 'DELETE /schedules/t2']);
  expect(waitingDeletes()).toEqual(['t2']);
  acceptLogin({ user: { ...lin, id: '8' }, access_token: 'b', refresh_token: 's' } as Parameters<typeof acceptLogin>[0], true);
  expect(await sendWaitingDeletes(), 'of somebody else').toBe(false);
  endSession();
});

it('tells the server which language a member reads, before the other document comes, and keeps a guest to himself', async () => {
  await speakDocument('en');
  expect(calls).toEqual([]);
  signIn();
  await speakDocument('zh');
  expect(calls).toEqual([{ method: 'PUT', path: '/user/language', body: { language: 'zh' } }]);
  expect(localStorage.getItem('i18nextLng')).toBe('zh');
});

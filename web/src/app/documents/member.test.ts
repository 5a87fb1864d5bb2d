// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fail, ok } from '../../../mock/api.ts';
import { answerCalls } from '../../../mock/wire.ts';
import { sendWaitingDeletes, storeWaitingDeletes, waitingDeletes } from '../../parts/task/waitingDeletes.ts';
import { acceptLogin, endSession } from '../../shared/api/session.ts';
import { switchDocumentLanguage } from '../../shared/i18n/switchDocumentLanguage.ts';
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

it('deletes the user’s stored data when the user signs out on a public page', async () => {
  signIn();
  await restoreMember();
  localStorage.setItem('sooner.verify.7.en-ca.niv.lin@example.com', '{}');
  endSession();
  expect(Object.keys(localStorage).filter((key) => key.startsWith('sooner.verify'))).toEqual([]);
});

it('sends a deletion that was pending on the previous page, and keeps it if it fails', async () => {
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

it('reports a user’s language to the server before the other document loads, but sends nothing for a guest', async () => {
  await switchDocumentLanguage('en');
  expect(calls).toEqual([]);
  signIn();
  await switchDocumentLanguage('zh');
  expect(calls).toEqual([{ method: 'PUT', path: '/user/language', body: { language: 'zh' } }]);
  expect(localStorage.getItem('i18nextLng')).toBe('zh');
});

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { request, requestFile } from './client.ts';
import { acceptLogin, endSession } from './session.ts';
import { answerStepUp, stepUpStore } from './stepUp.ts';
import type { LoginAnswer } from './types.ts';

const user = { id: 'u1', username: 'lin@example.com', email: 'lin@example.com' } as LoginAnswer['user'];
const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const good = (data: unknown) => answer(200, { success: true, data, error: null });
const refusal = (code: string, data: unknown = null) => answer(403, { success: false, data, error: { code, message: code } });

/** A server that wants a proof for its calls until one is given, and counts what reaches it. */
function serve({ never = false } = {}) {
  const server = { proven: false, calls: 0 };
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/other')) return refusal('FORBIDDEN');
    server.calls += 1;
    return server.proven && !never ? good({ done: true }) : refusal('STEP_UP_REQUIRED', { methods: ['password'], totp: true });
  });
  return server;
}

const asked = () => vi.waitFor(() => expect(stepUpStore.get()).not.toBeNull());

describe('a call that needs a proof', () => {
  beforeEach(() => acceptLogin({ access_token: 'a', refresh_token: 'r', user } as LoginAnswer, true));

  it('asks with what the server takes, and is repeated once', async () => {
    const server = serve();
    const call = request('DELETE', '/user/totp');
    await asked();
    expect(stepUpStore.get()).toEqual({ methods: ['password'], totp: true });
    server.proven = true;
    answerStepUp(true);
    await expect(call).resolves.toEqual({ done: true });
    expect(server.calls).toBe(2);
    expect(stepUpStore.get()).toBeNull();
  });

  it('shares one question with the calls beside it', async () => {
    const server = serve();
    const calls = [request('POST', '/a'), request('POST', '/b'), requestFile('POST', '/user/export', {})];
    await asked();
    await vi.waitFor(() => expect(server.calls).toBe(3));
    await new Promise((resolve) => setTimeout(resolve));
    server.proven = true;
    answerStepUp(true);
    await Promise.all(calls);
    expect(server.calls).toBe(6);
  });

  it('is given up when the person does not want to', async () => {
    const server = serve();
    const call = request('POST', '/user/deletion', { body: {} });
    await asked();
    answerStepUp(false);
    await expect(call).rejects.toMatchObject({ code: 'STEP_UP_DECLINED' });
    expect(server.calls).toBe(1);
  });

  it('is given up when the person signs out meanwhile', async () => {
    const server = serve();
    const call = request('POST', '/user/deletion', { body: {} });
    await asked();
    endSession();
    await expect(call).rejects.toMatchObject({ code: 'STEP_UP_DECLINED' });
    expect(server.calls).toBe(1);
    expect(stepUpStore.get()).toBeNull();
  });

  it('does not ask for ever', async () => {
    serve({ never: true });
    const call = request('POST', '/a');
    await asked();
    answerStepUp(true);
    await expect(call).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' });
    expect(stepUpStore.get()).toBeNull();
  });

  it('is not confused with other refusals', async () => {
    serve();
    await expect(request('POST', '/other')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(stepUpStore.get()).toBeNull();
  });
});

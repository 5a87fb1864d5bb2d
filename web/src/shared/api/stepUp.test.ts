// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answer, body, client } from './client.ts';
import { acceptLogin, endSession } from './session.ts';
import { settleStepUp, stepUpStore } from './stepUp.ts';
import type { LoginAnswer } from './types.ts';

const user = { id: 'u1', username: 'lin@example.com', email: 'lin@example.com' } as LoginAnswer['user'];
const reply = (status: number, content: unknown) => new Response(JSON.stringify(content), { status });
const good = (data: unknown) => reply(200, { success: true, data, error: null });
const refusal = (code: string, data: unknown = null) => reply(403, { success: false, data, error: { code, message: code } });

/**
 * Simulates a server that refuses requests until the user has proved their identity. It counts the
 * requests.
 */
function serve({ never = false } = {}) {
  const server = { proven: false, calls: 0 };
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    if (url.endsWith('/stats')) return refusal('FORBIDDEN');
    server.calls += 1;
    return server.proven && !never ? good({ done: true }) : refusal('STEP_UP_REQUIRED', { methods: ['password'], totp: true });
  });
  return server;
}

const asked = () => vi.waitFor(() => expect(stepUpStore.get()).not.toBeNull());

describe('a request that needs a proof of identity', () => {
  beforeEach(() => acceptLogin({ access_token: 'a', refresh_token: 'r', user } as LoginAnswer, true));

  // spec: 10.7.18
  it('prompts with the methods that the server accepts, and is repeated once', async () => {
    const server = serve();
    const call = answer(client.DELETE('/user/totp'));
    await asked();
    expect(stepUpStore.get()).toEqual({ methods: ['password'], totp: true });
    server.proven = true;
    settleStepUp(true);
    await expect(call).resolves.toEqual({ done: true });
    expect(server.calls).toBe(2);
    expect(stepUpStore.get()).toBeNull();
  });

  it('shares one prompt with simultaneous requests', async () => {
    const server = serve();
    const calls = [
      client.POST('/user/totp'),
      client.POST('/user/totp/recovery-codes'),
      body(client.POST('/user/export', { parseAs: 'blob' })),
    ];
    await asked();
    await vi.waitFor(() => expect(server.calls).toBe(3));
    await new Promise((resolve) => setTimeout(resolve));
    server.proven = true;
    settleStepUp(true);
    await Promise.all(calls);
    expect(server.calls).toBe(6);
  });

  it('is abandoned when the user declines', async () => {
    const server = serve();
    const call = client.POST('/user/deletion', { body: { forfeit_balance: 0 } });
    await asked();
    settleStepUp(false);
    await expect(call).rejects.toMatchObject({ code: 'STEP_UP_DECLINED' });
    expect(server.calls).toBe(1);
  });

  it('is abandoned when the user signs out meanwhile', async () => {
    const server = serve();
    const call = client.POST('/user/deletion', { body: { forfeit_balance: 0 } });
    await asked();
    endSession();
    await expect(call).rejects.toMatchObject({ code: 'STEP_UP_DECLINED' });
    expect(server.calls).toBe(1);
    expect(stepUpStore.get()).toBeNull();
  });

  it('does not prompt endlessly', async () => {
    serve({ never: true });
    const call = client.POST('/user/totp');
    await asked();
    settleStepUp(true);
    await expect(call).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' });
    expect(stepUpStore.get()).toBeNull();
  });

  it('is distinguished from other refusals', async () => {
    serve();
    await expect(client.GET('/stats')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(stepUpStore.get()).toBeNull();
  });
});

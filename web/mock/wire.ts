import { vi } from 'vitest';
import type { Answer, Body } from './api.ts';
import { handle } from './handler.ts';
import type { World } from './world.ts';

/** Request as a fake backend receives it. */
export interface Call {
  method: string;
  /** Path without /api/v1. */
  path: string;
  query: URLSearchParams;
  body: Body;
  headers: Headers;
  /** `METHOD /path?query`. */
  line: string;
}

/** Response to a request. `no network` means that there is no response. */
export type Reply = Answer | 'no network';

async function callOf(request: Request): Promise<Call> {
  const { pathname, search, searchParams } = new URL(request.url);
  const path = pathname.slice('/api/v1'.length);
  const text = await request.text();
  const body = (text ? JSON.parse(text) : {}) as Body;
  const { method, headers } = request;
  return { method, path, query: searchParams, body, headers, line: `${method} ${path}${search}` };
}

function responseOf({ status, body, headers }: Answer): Response {
  return new Response(body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body), { status, headers });
}

/** Replaces `fetch` with a function that answers requests. */
export function answerCalls(reply: (call: Call) => Reply | Promise<Reply>): void {
  vi.stubGlobal('fetch', async (request: Request) => {
    const replied = await reply(await callOf(request));
    if (replied === 'no network') throw new TypeError('no network');
    return responseOf(replied);
  });
}

/** Returns the fake backend's response to a request. */
export const answerFrom = (world: World, { method, path, query, body }: Call) => handle(world, method, path, query, body);

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';
import { payPage } from './cards.ts';
import { handle } from './handler.ts';
import { beginVerification, VERIFY_MS } from './progress.ts';
import { createWorld, type World } from './world.ts';

const VERIFY = '/schedules/verify-credentials';

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text ? JSON.parse(text) : {};
}

function stream(world: World, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write(': hello\n\n');
  const writeEvent = (event: string, data: unknown) =>
    response.write(`id: ${world.version}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  world.listeners.add(writeEvent);
  request.on('close', () => world.listeners.delete(writeEvent));
}

/**
 * Parses the variable MOCK, such as `free,invite,closed,own,no-mail`: a list of differences from a
 * normal server.
 */
function serverOf(list: string): Partial<World['methods']> {
  const is = (word: string) => list.split(',').includes(word);
  return {
    billing: !is('free'),
    mail: !is('no-mail'),
    google: !is('own'),
    link: is('own'),
    registration: is('closed') ? 'closed' : is('invite') ? 'invite' : 'open',
  };
}

/**
 * Vite plugin that serves the fake backend under /api with `--mode mock`, for development and
 * pictures.
 */
export function mockBackend(): Plugin {
  const world = createWorld();
  Object.assign(world.methods, serverOf(process.env.MOCK ?? ''));
  const latencyMs = 120;
  const middleware = async (request: IncomingMessage, response: ServerResponse, next: () => void): Promise<unknown> => {
    const url = new URL(request.url ?? '/', 'http://mock');
    if (url.pathname === '/inbox.json') {
      response.setHeader('Content-Type', 'application/json');
      return response.end(JSON.stringify(world.mails));
    }
    if (url.pathname === '/pay') {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      return response.end(payPage);
    }
    if (!url.pathname.startsWith('/api/v1')) return next();
    const path = url.pathname.slice('/api/v1'.length);
    if (path === '/events') return stream(world, request, response);
    const body = await readBody(request);
    const verifying = path === VERIFY;
    if (verifying) beginVerification(body.progress_id);
    await new Promise((resolve) => setTimeout(resolve, verifying ? VERIFY_MS : latencyMs));
    const answer = handle(world, request.method ?? 'GET', path, url.searchParams, body);
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers });
    response.end(answer.body instanceof Uint8Array ? answer.body : JSON.stringify(answer.body));
  };
  return {
    name: 'sooner-mock-backend',
    configureServer: (server) => {
      server.middlewares.use(middleware);
    },
    configurePreviewServer: (server) => {
      server.middlewares.use(middleware);
    },
  };
}

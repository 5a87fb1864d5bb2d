import { describe, expect, it } from 'vitest';
import { isGateway, isWhole, reactionTo } from './reaction.ts';

const ORIGIN = 'https://sooner.example.com';

function reaction(path: string, { method = 'GET', mode = 'cors', headers = {} }: RequestInit = {}) {
  return reactionTo(
    { method, mode: mode as RequestMode, url: new URL(path, ORIGIN).href, headers: new Headers(headers) },
    ORIGIN,
  );
}

describe('the service worker', () => {
  // spec: 10.14.02
  it('never handles the API, money, films, or anything but pages and build files', () => {
    for (const path of ['/api/v1/schedules', '/api/v1/events', '/api/docs/', '/healthz', '/readyz', '/metrics', '/worker.js'])
      expect(reaction(path), path).toBe('nothing');
    for (const path of ['/api/v1/auth/google/login', '/pay', '/pay?lang=zh', '/pay.html', '/api/docs/'])
      expect(reaction(path, { mode: 'navigate' as RequestMode }), `a page at ${path}`).toBe('nothing');
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD']) expect(reaction('/assets/x.js', { method }), method).toBe('nothing');
    expect(reaction('/assets/x.js', { headers: { range: 'bytes=0-1' } }), 'a part').toBe('nothing');
    expect(reaction('https://elsewhere.example.com/assets/x.js'), 'elsewhere').toBe('nothing');
    for (const path of ['/film/zh.mp4', '/gallery/why-zh.webp', '/mark.svg', '/site.webmanifest'])
      expect(reaction(path), path).toBe('nothing');
  });

  it('passes pages through, and serves build files', () => {
    for (const path of ['/', '/dashboard', '/faq?lang=en', '/payments', '/apiary'])
      expect(reaction(path, { mode: 'navigate' as RequestMode }), path).toBe('page');
    expect(reaction('/assets/index-abc.js')).toBe('asset');
  });

  // spec: 10.14.02
  it('caches only complete files, and accepts no page of a proxy', () => {
    const answer = (status: number, kind: string, own = false) => ({
      status,
      type: 'basic' as const,
      headers: new Headers({ 'content-type': kind, ...(own && { 'x-request-id': '0192' }) }),
    });
    expect(isWhole(answer(200, 'text/javascript'))).toBe(true);
    expect(isWhole(answer(200, 'text/html; charset=utf-8')), 'a sign-in page of a hotel').toBe(false);
    for (const status of [206, 404, 503]) expect(isWhole(answer(status, 'text/javascript')), `${status}`).toBe(false);
    expect(isWhole({ ...answer(200, 'text/javascript'), type: 'opaque' })).toBe(false);
    expect(isGateway(answer(502, 'text/html'))).toBe(true);
    expect(isGateway(answer(503, 'text/html', true)), 'our own').toBe(false);
    expect(isGateway(answer(404, 'text/html'))).toBe(false);
  });
});

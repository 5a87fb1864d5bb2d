import { act, cleanup, screen } from '@testing-library/react';
import i18next from 'i18next';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { documentParts } from '../../app/open/documentParts.tsx';
import { liveParts } from '../../app/open/liveParts.tsx';
import { OpenApp } from '../../app/open/OpenApp.tsx';
import type { OpenPage } from '../../app/open/pages.ts';
import { unbroken } from '../i18n/format.ts';
import { i18nReady } from '../i18n/i18n.ts';
import { type Facts, type Picture, readFacts, template, unbrokenMark } from './facts.tsx';

vi.setConfig({ testTimeout: 60_000 });

const settled: Facts = {
  demo: '1',
  google: '1',
  mail: '1',
  contact: '1',
  wechat: '1',
  wechat_id: '<b>"sooner" & \'help\' 2026-27</b>',
  wechat_qr: '/qr/0011223344556677.png',
  group: '1',
  group_name: 'Canada 2026-27',
  email: 'help@example.com',
  email_href: 'mailto:help@example.com',
  social: '1',
  xiaohongshu_id: 'sooner_zaoqian',
  hours_from: '22:00',
  hours_to: '12:00',
};
const counted: Facts = {
  portal_ok: '1',
  seen_seconds: '8',
  figures: '1',
  finished_tasks: '61',
  days_saved: '4,514',
  checks_total: '38,412',
  ratings: '14',
  ratings_wanted: '20',
  figures_date: '2026-11-21',
  figures_time: '12:40',
};
const gallery: Picture[] = [
  { src: '/pictures/1.webp', zh: '渥太华', en: 'Ottawa 2026-11' },
  { src: '/pictures/2.webp', zh: '多伦多 <三>', en: 'Toronto' },
];
const sets: [string, Facts][] = [
  ['nothing is set up', {}],
  ['everything is, with too few ratings', { ...settled, ...counted, few: '1' }],
  ['there are enough ratings', { ...settled, ...counted, ratings: '25', enough: '1', satisfied: '96%', rating: '4.8' }],
  [
    'the portal is down, and the hours are unusual',
    { portal_down: '1', seen_hours: '3', hours: 'always', email: 'a@example.com' },
  ],
  ['the operator has pictures', { ...settled, pictures: '1', gallery }],
];

const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '&#x27;');

/** Fills a document as the server does (crates/server/src/open_pages/template.rs). */
function filled(text: string, facts: Facts, picture?: Picture): string {
  const [, sign = '', name = ''] = /⟦([?!*~]?)([.a-z_]+)⟧/.exec(text) ?? [];
  if (!name) return text;
  const mark = `⟦${sign}${name}⟧`;
  const before = text.slice(0, text.indexOf(mark));
  const after = text.slice(before.length + mark.length);
  if (!'?!*'.includes(sign) || sign === '') {
    const value = name.startsWith('.') ? picture?.[name.slice(1) as keyof Picture] : facts[name as 'demo'];
    return before + escaped(sign === '~' ? unbroken(value ?? '') : (value ?? '')) + filled(after, facts, picture);
  }
  // The end that belongs to it: parts of one name may lie in each other.
  let depth = 1;
  let at = 0;
  for (const { 0: found, index } of after.matchAll(new RegExp(`⟦([?!*/])${name}⟧`, 'g'))) {
    depth += found.startsWith('⟦/') ? -1 : 1;
    at = index;
    if (depth === 0) break;
  }
  const inner = after.slice(0, at);
  const rest = after.slice(at + `⟦/${name}⟧`.length);
  if (sign === '*')
    return before + (facts.gallery ?? []).map((one) => filled(inner, facts, one)).join('') + filled(rest, facts, picture);
  const stays = (facts[name as 'demo'] !== undefined) === (sign === '?');
  return before + (stays ? filled(inner, facts, picture) : '') + filled(rest, facts, picture);
}

const complaints = vi.fn();
let root: Root | undefined;
let place: HTMLElement;

/** The page as it is made at build time, filled in, and hydrated whole with the same facts. */
async function hydrated(page: OpenPage, facts: Facts, parts = documentParts(page)) {
  // As server.tsx sets it up.
  const interpolator = i18next.services.interpolator as unknown as { escape: (text: string) => string };
  const usual = interpolator.escape;
  interpolator.escape = (text) => unbroken(unbrokenMark(text));
  const made = renderToString(<OpenApp page={page} parts={documentParts(page)} facts={template} />);
  interpolator.escape = usual;
  place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = filled(made, facts);
  const afresh = document.createElement('div');
  afresh.innerHTML = renderToString(<OpenApp page={page} parts={documentParts(page)} facts={facts} />);
  expect(place.textContent).toBe(afresh.textContent);
  expect(place.textContent).not.toMatch(/[⟦⟧]/);
  await act(async () => {
    root = hydrateRoot(place, <OpenApp page={page} parts={parts} facts={facts} />, {
      onRecoverableError: complaints,
    });
  });
  expect(complaints.mock.calls).toEqual([]);
}

beforeEach(async () => {
  await i18nReady;
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  // jsdom does not read it from the markup, browsers do.
  vi.spyOn(HTMLMediaElement.prototype, 'muted', 'get').mockReturnValue(true);
  vi.spyOn(console, 'error').mockImplementation(complaints);
});

afterEach(() => {
  act(() => root?.unmount());
  complaints.mockClear();
  cleanup();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

describe('a document with facts in it', () => {
  it.each(sets)('is what the page makes of them: %s', async (_, facts) => {
    await i18next.changeLanguage('zh');
    await hydrated('home', facts);
  });

  it.each(['faq', 'privacy'] as const)('is so on every page (%s)', async (page) => {
    await i18next.changeLanguage('en');
    await hydrated(page, { ...settled, ...counted });
  });

  it('shows texts as texts, and a picture for each of the gallery', async () => {
    await i18next.changeLanguage('en');
    await hydrated('home', { ...settled, pictures: '1', gallery });
    expect(screen.getByText('<b>"sooner" & \'help\' 2026-27</b>')).toBeTruthy();
    for (const { src } of gallery) expect(place.querySelector(`img[src="${src}"]`)).toBeTruthy();
    expect(place.querySelector('img[src^="/gallery/"]')).toBeNull();
  });

  it('brings all of the theme, also what no document has', async () => {
    await hydrated('privacy', {}, liveParts('privacy'));
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join('');
    expect(rules).toContain('--mui-palette-success-main');
  });

  it('is read as it was written', () => {
    const script = document.body.appendChild(document.createElement('script'));
    script.type = 'application/json';
    script.id = 'facts';
    script.textContent = '{"email":"\\u003c/script>","gallery":[]}';
    expect(readFacts()).toEqual({ email: '</script>', gallery: [] });
    script.remove();
    expect(readFacts()).toEqual({});
  });
});

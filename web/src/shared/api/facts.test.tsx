import { act, cleanup, screen } from '@testing-library/react';
import i18next from 'i18next';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Frame } from '../../../mock/Frame.tsx';
import { WholeFaqPage } from '../../features/site/faq/WholeFaqPage.tsx';
import { WholeLandingPage } from '../../features/site/landing/WholeLandingPage.tsx';
import { PricingPage } from '../../features/site/policies/PricingPage.tsx';
import { RefundsPage } from '../../features/site/policies/RefundsPage.tsx';
import { TermsPage } from '../../features/site/policies/TermsPage.tsx';
import { PrivacyPage } from '../../features/site/privacy/PrivacyPage.tsx';
import { unbroken } from '../i18n/format.ts';
import { i18nReady } from '../i18n/i18n.ts';
import { billingStore } from './billing.ts';
import { type Facts, FactsProvider, type Picture, readFacts, template, unbrokenMark } from './facts.tsx';
import { methodsOf, storeMethods } from './methods.ts';

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
  price: '38.00 CAD',
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
    { portal_down: '1', seen_minutes: '3', hours: 'always', email: 'a@example.com' },
  ],
  ['the operator has pictures', { ...settled, pictures: '1', gallery }],
  ['nothing is charged', { ...settled, ...counted, few: '1', billing_off: '1' }],
  ['people register by invitation', { ...settled, ...counted, few: '1', invite_only: '1' }],
  ['nobody registers, and nothing is charged', { ...settled, billing_off: '1', registration_off: '1' }],
];

const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '&#x27;');

/** Fills in a document as the server does (crates/server/src/site/open_pages/template.rs). */
function filled(text: string, facts: Facts): string {
  const marks = [...text.split(/(⟦[^⟧]*⟧)/)];
  const fill = (end: string | null, shown: boolean, picture?: Picture, around = shown): string => {
    let out = '';
    for (let next = marks.shift(); next !== undefined && next !== end; next = marks.shift()) {
      if (next === '⟦%else%⟧') return (shown ? out : '') + fill(end, around && !shown, picture);
      const [, not, condition] = /^⟦%if (not )?([a-z_]+)%⟧$/.exec(next) ?? [];
      const [, name, unbreakable] = /^⟦([a-z._]+)(\|unbroken)?⟧$/.exec(next) ?? [];
      if (condition) {
        const so = (facts[condition as 'demo'] !== undefined) !== Boolean(not);
        out += fill('⟦%endif%⟧', shown && so, picture, shown);
      } else if (next === '⟦%for picture in gallery%⟧') {
        const begin = [...marks];
        const pictures = facts.gallery ?? [];
        if (pictures.length === 0) fill('⟦%endfor%⟧', false);
        for (const one of pictures) {
          marks.splice(0, marks.length, ...begin);
          out += fill('⟦%endfor%⟧', shown, one);
        }
      } else if (name) {
        const value = name.startsWith('picture.') ? picture?.[name.slice(8) as keyof Picture] : facts[name as 'demo'];
        if (shown) expect(value, name).toBeDefined();
        out += escaped(unbreakable ? unbroken(value ?? '') : (value ?? ''));
      } else out += next;
    }
    return shown ? out : '';
  };
  return fill(null, true);
}

const complaints = vi.fn();
let root: Root | undefined;
let place: HTMLElement;

const pages = {
  home: WholeLandingPage,
  faq: WholeFaqPage,
  privacy: PrivacyPage,
  pricing: PricingPage,
  refunds: RefundsPage,
  terms: TermsPage,
};
type Page = keyof typeof pages;

function pageWith(page: Page, facts: Facts | typeof template) {
  const Page = pages[page];
  return (
    <Frame>
      <FactsProvider facts={facts}>
        <Page />
      </FactsProvider>
    </Frame>
  );
}

/** Builds the page, fills it in, and hydrates it with the same facts. */
async function hydrated(page: Page, facts: Facts) {
  storeMethods(methodsOf(facts));
  // Escapes values as documents do (documentTexts.tsx).
  const interpolator = i18next.services.interpolator as unknown as { escape: (text: string) => string };
  const usual = interpolator.escape;
  interpolator.escape = (text) => unbroken(unbrokenMark(text));
  const made = renderToString(pageWith(page, template));
  interpolator.escape = usual;
  place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = filled(made, facts);
  const afresh = document.createElement('div');
  afresh.innerHTML = renderToString(pageWith(page, facts));
  expect(place.textContent).toBe(afresh.textContent);
  expect(place.textContent).not.toMatch(/[⟦⟧]/);
  await act(async () => {
    root = hydrateRoot(place, pageWith(page, facts), { onRecoverableError: complaints });
  });
  expect(complaints.mock.calls).toEqual([]);
}

beforeEach(async () => {
  await i18nReady;
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  // Browsers set `muted` from the markup. jsdom does not.
  vi.spyOn(HTMLMediaElement.prototype, 'muted', 'get').mockReturnValue(true);
  vi.spyOn(console, 'error').mockImplementation(complaints);
});

afterEach(() => {
  billingStore.set(true);
  act(() => root?.unmount());
  complaints.mockClear();
  cleanup();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

describe('a document with facts of the server', () => {
  // spec: 10.12.05
  it.each(sets)('renders like the page: %s', async (_, facts) => {
    await i18next.changeLanguage('zh');
    await hydrated('home', facts);
  });

  // spec: 10.12.05
  it.each(['faq', 'privacy', 'pricing', 'refunds', 'terms'] as const)('renders so on every page (%s)', async (page) => {
    await i18next.changeLanguage('en');
    await hydrated(page, { ...settled, ...counted });
  });

  it.each(['faq', 'privacy', 'terms'] as const)('renders like the page where nothing is charged (%s)', async (page) => {
    await i18next.changeLanguage('zh');
    await hydrated(page, { ...settled, billing_off: '1' });
  });

  // spec: 10.12.06, 10.12.10
  it('escapes texts, and has a picture for each of the gallery', async () => {
    await i18next.changeLanguage('en');
    await hydrated('home', { ...settled, pictures: '1', gallery });
    expect(screen.getByText('<b>"sooner" & \'help\' 2026-27</b>')).toBeTruthy();
    for (const { src } of gallery) expect(place.querySelector(`img[src="${src}"]`)).toBeTruthy();
    expect(place.querySelector('img[src^="/gallery/"]')).toBeNull();
  });

  it('is read back as it was written', () => {
    const script = document.body.appendChild(document.createElement('script'));
    script.type = 'application/json';
    script.id = 'facts';
    script.textContent = '{"email":"\\u003c/script>","gallery":[]}';
    expect(readFacts()).toEqual({ email: '</script>', gallery: [] });
    script.remove();
    expect(readFacts()).toEqual({});
  });
});

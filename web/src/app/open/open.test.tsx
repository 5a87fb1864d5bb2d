import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Facts } from '../../shared/api/facts.tsx';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import type { Language } from '../../shared/i18n/language.ts';
import { documentParts } from './documentParts.tsx';
import { liveParts } from './liveParts.tsx';
import { OpenApp } from './OpenApp.tsx';
import { type OpenPage, openPageAt } from './pages.ts';

// Whole pages in jsdom on a busy machine take their time.
vi.setConfig({ testTimeout: 60_000 });
configure({ asyncUtilTimeout: 10_000 });

const known: Facts = {
  demo: '1',
  mail: '1',
  figures: '1',
  finished_tasks: '61',
  days_saved: '4,514',
  checks_total: '38,412',
  ratings: '14',
  ratings_wanted: '20',
  few: '1',
  contact: '1',
  wechat: '1',
  wechat_id: 'sooner-help',
  email: 'help@sooner.example',
  email_href: 'mailto:help@sooner.example',
  hours: '9am-11pm EDT',
};
const t = i18next.t.bind(i18next);
const place = () => document.getElementById('root') as HTMLElement;
const complaints = vi.fn();
let root: Root | undefined;

beforeEach(async () => {
  await i18nReady;
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(JSON.stringify({ success: true, data: {}, error: null }))),
  );
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addListener: () => undefined,
    removeListener: () => undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});

afterEach(() => {
  act(() => root?.unmount());
  root = undefined;
  complaints.mockClear();
  cleanup();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

/** The page as its document has it, without any script. */
async function written(page: OpenPage, language: Language = 'en', facts: Facts = known) {
  await i18next.changeLanguage(language);
  const div = document.body.appendChild(document.createElement('div'));
  div.id = 'root';
  div.innerHTML = renderToString(<OpenApp page={page} parts={documentParts(page)} facts={facts} />);
}

async function wake(page: OpenPage, facts: Facts = known) {
  await act(async () => {
    root = hydrateRoot(place(), <OpenApp page={page} parts={liveParts(page)} facts={facts} />, {
      onRecoverableError: complaints,
    });
  });
}

async function shown(page: OpenPage, language: Language = 'en', facts: Facts = known) {
  await written(page, language, facts);
  await wake(page, facts);
}

const part = (name: string) => document.querySelector(`[data-part="${name}"]`) as HTMLElement;

function scrollTo(y: number) {
  Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
  act(() => void window.dispatchEvent(new Event('scroll')));
}

describe('an open page that comes alive', () => {
  it.each(['home', 'faq', 'privacy'] as const)('is what it was, element by element (%s)', async (page) => {
    await written(page, 'zh');
    const before = [...place().querySelectorAll('*')];
    const markup = place().innerHTML;
    await wake(page);
    expect(place().innerHTML).toBe(markup);
    expect([...place().querySelectorAll('*')].every((element, index) => element === before[index])).toBe(true);
    expect(complaints).not.toHaveBeenCalled();
  });

  it('asks the server for nothing', async () => {
    await shown('home');
    expect(fetch).not.toHaveBeenCalled();
  });

  it('makes a press again that came before its part was alive', async () => {
    await shown('home');
    const copy = within(part('contact')).getAllByRole('button')[0] as HTMLElement;
    const write = vi.fn(async () => undefined);
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: write }, configurable: true });
    fireEvent.click(copy);
    expect(write).not.toHaveBeenCalled();
    await waitFor(() => expect(write).toHaveBeenCalledExactlyOnceWith('sooner-help'));
  });

  it('keeps what was typed into the form, and knows it once the form is touched', async () => {
    await written('home');
    const email = part('signUp').querySelector('input[name="email"]') as HTMLInputElement;
    email.value = 'lin@example.com';
    await wake('home');
    fireEvent.focusIn(email);
    fireEvent.click(within(part('signUp')).getByRole('button', { name: t('auth.registerButton') }));
    await screen.findByText(t('auth.passwordRequired'));
    expect(part('signUp').querySelector('input[name="email"]')).toBe(email);
    expect(email.value).toBe('lin@example.com');
    expect(screen.queryByText(t('auth.emailRequired'))).toBeNull();
  });
});

describe('the header of the open pages', () => {
  it('names the parts of the page, the questions, and the ways in', async () => {
    await shown('home');
    const nav = screen.getByRole('navigation', { name: t('shell.mainNav') });
    const links = within(nav).getAllByRole('link', { hidden: true });
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['#showcase', '#feedback', '#contact', '/faq']);
    fireEvent.click(screen.getByLabelText(t('open.menu')));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map((item) => item.getAttribute('href')).slice(-2)).toEqual(['/auth/login', '/auth/register']);
  });

  it('shrinks after 30 px and is itself again at 10', async () => {
    await shown('home');
    const bar = () => (place().querySelector('header > *') as HTMLElement).className;
    const large = bar();
    scrollTo(30);
    expect(bar()).toBe(large);
    scrollTo(31);
    const small = bar();
    expect(small).not.toBe(large);
    scrollTo(11);
    expect(bar()).toBe(small);
    scrollTo(10);
    expect(bar()).toBe(large);
  });

  it('changes the language by way of the other document, and remembers it for the server as well', async () => {
    // jsdom cannot read a page again, and says so.
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    window.history.replaceState(null, '', '/?lang=en#contact');
    await shown('home');
    fireEvent.click(screen.getByRole('button', { name: t('shell.zh') }));
    await waitFor(() => expect(document.cookie).toContain('lang=zh'));
    expect(localStorage.getItem('i18nextLng')).toBe('zh');
    expect(`${window.location.search}${window.location.hash}`).toBe('#contact');
    window.history.replaceState(null, '', '/');
  });
});

describe('the landing', () => {
  it.each(['zh', 'en'] as const)('says what it does, how, and at what price (%s)', async (language) => {
    await shown('home', language);
    for (const key of [
      'landing.feature1',
      'landing.feature2',
      'landing.feature3',
      'landing.step3',
      'auth.createAccount',
    ] as const)
      expect(screen.getByRole('heading', { name: t(key) })).toBeTruthy();
    const ways = screen.getAllByRole('link', { name: t('landing.ctaButton') }).map((link) => link.getAttribute('href'));
    expect(ways).toContain('/auth/register');
  });

  it('shows pictures with their words, and a large one with counter and keys', async () => {
    await shown('home');
    const tiles = within(part('gallery')).getAllByRole('button');
    expect(tiles).toHaveLength(8);
    fireEvent.click(tiles[2] as HTMLElement);
    expect(await screen.findByText('3 / 8')).toBeTruthy();
    expect(screen.getByRole('button', { name: t('gallery.next') })).toBeTruthy();
    fireEvent.keyDown(document.querySelector('.yarl__container') as HTMLElement, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByText('3 / 8')).toBeNull());
  });

  it('shows counted figures, and with too few ratings only how many there are', async () => {
    await shown('home');
    expect(screen.getByText('38,412')).toBeTruthy();
    expect(part('figures').textContent).toMatch(/14 ?\/ ?20/);
    expect(part('figures').textContent).not.toContain('%');
  });

  it('shows a rate once there are enough ratings', async () => {
    const { few, ...rest } = known;
    await shown('home', 'en', { ...rest, enough: '1', ratings: '25', satisfied: '96%', rating: '4.9' });
    expect(screen.getByText('96%')).toBeTruthy();
  });

  it('names the ways to support, and only those there are', async () => {
    await shown('home');
    expect(part('contact').textContent).toContain('sooner-help');
    expect(part('contact').textContent).toContain('help@sooner.example');
    expect(part('contact').textContent).not.toContain(t('landing.contactSocial'));
    expect(part('cases').textContent).toBe('');
  });

  it('says that this is a demonstration where it is one', async () => {
    await shown('home');
    expect(screen.getByText(t('shell.demo'))).toBeTruthy();
  });
});

it('knows its pages by their addresses', () => {
  expect(['/', '/faq', '/faq/', '/privacy', '/dashboard'].map(openPageAt)).toEqual(['home', 'faq', 'faq', 'privacy', null]);
});

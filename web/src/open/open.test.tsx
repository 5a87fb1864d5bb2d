import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PublicStats, Support } from '../api/types.ts';
import { i18nReady } from '../i18n/i18n.ts';
import type { Language } from '../i18n/language.ts';
import { galleryItems } from '../lib/galleryItems.ts';
import { documentParts } from './documentParts.tsx';
import type { Facts } from './facts.tsx';
import { OpenApp } from './OpenApp.tsx';
import { openPageAt } from './pages.ts';

vi.setConfig({ testTimeout: 60_000 });

const support: Support = {
  wechat_id: 'sooner-help',
  wechat_qr: 'https://sooner.example/wechat',
  group_name: 'Canada',
  group_qr: 'https://sooner.example/group',
  email: 'help@sooner.example',
  xiaohongshu_id: 'sooner_zaoqian',
  xiaohongshu_qr: null,
  hours: '9am-11pm EDT',
};
const few: PublicStats = {
  finished_tasks: 61,
  ratings: 14,
  average_rating: 4.9,
  satisfied_share: 1,
  checks_total: 38_412,
  days_saved: 4_514,
  enough: false,
};
let answers: Record<string, unknown>;
let facts: Facts;
const t = i18next.t.bind(i18next);

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  facts = { demo: '1' };
  answers = {
    '/support': support,
    '/stats/public': few,
    '/auth/methods': { mail: true, google: false, password: true },
  };
  vi.stubGlobal(
    'fetch',
    vi.fn(async (input: string | Request) => {
      const path = new URL(typeof input === 'string' ? input : input.url, 'http://sooner.example').pathname.replace(
        '/api/v1',
        '',
      );
      const data = answers[path];
      const body =
        data === undefined
          ? { success: false, data: null, error: { code: 'NOT_FOUND', message: path } }
          : { success: true, data, error: null };
      return new Response(JSON.stringify(body), {
        status: data === undefined ? 404 : 200,
        headers: { 'Content-Type': 'application/json' },
      });
    }),
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
  cleanup();
  vi.unstubAllGlobals();
});

async function shown(page: 'home' | 'faq' | 'privacy', language: Language = 'en') {
  await i18next.changeLanguage(language);
  const view = render(<OpenApp page={page} parts={documentParts(page)} facts={facts} />);
  await screen.findAllByRole('heading', { level: 1 });
  return view;
}

function scrollTo(y: number) {
  Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
  act(() => void window.dispatchEvent(new Event('scroll')));
}

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
    const { container } = await shown('home');
    const bar = () => (container.querySelector('header .MuiContainer-root') as HTMLElement).className;
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

  it('changes the language, and remembers it for the server as well', async () => {
    await shown('home');
    fireEvent.click(screen.getByRole('button', { name: t('shell.zh') }));
    await waitFor(() => expect(document.documentElement.lang).toBe('zh-CN'));
    expect(localStorage.getItem('i18nextLng')).toBe('zh');
    expect(document.cookie).toContain('lang=zh');
  });
});

describe('the landing', () => {
  it.each(['zh', 'en'] as const)('says what it does, how, and at what price (%s)', async (language) => {
    await shown('home', language);
    for (const key of [
      'landing.feature1',
      'landing.feature2',
      'landing.feature3',
      'landing.core1',
      'landing.core4',
      'landing.step3',
    ] as const)
      expect(screen.getByRole('heading', { name: t(key) })).toBeTruthy();
    expect(screen.getByRole('link', { name: t('landing.ctaButton') }).getAttribute('href')).toBe('/auth/register');
    expect(await screen.findByRole('heading', { name: t('auth.createAccount') })).toBeTruthy();
  });

  it('opens one detail at a time, or none', async () => {
    await shown('home');
    const heads = () =>
      screen.getAllByRole('button').filter((one) => one.hasAttribute('aria-expanded') && !one.hasAttribute('aria-haspopup'));
    const opened = () =>
      heads()
        .filter((one) => one.getAttribute('aria-expanded') === 'true')
        .map((one) => one.textContent);
    expect(opened()).toEqual([t('landing.list.pace')]);
    fireEvent.click(screen.getByRole('button', { name: t('landing.list.why') }));
    expect(opened()).toEqual([t('landing.list.why')]);
    fireEvent.click(screen.getByRole('button', { name: t('landing.list.why') }));
    expect(opened()).toEqual([]);
  });

  it('shows eight pictures with their words, and a large one with counter and keys', async () => {
    await shown('home');
    const tiles = galleryItems.map((item) => screen.getByRole('button', { name: t('gallery.open', { label: t(item.label) }) }));
    expect(tiles).toHaveLength(8);
    fireEvent.click(tiles[2] as HTMLElement);
    expect(await screen.findByText('3 / 8')).toBeTruthy();
    expect(screen.getByRole('button', { name: t('gallery.next') })).toBeTruthy();
    fireEvent.keyDown(document.querySelector('.yarl__container') as HTMLElement, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByText('3 / 8')).toBeNull());
  });

  it('shows counted figures, and with too few ratings only how many there are', async () => {
    await shown('home');
    expect(await screen.findByText('38,412')).toBeTruthy();
    expect(screen.getByText('14 / 20')).toBeTruthy();
    expect(screen.queryByText(/100%/)).toBeNull();
  });

  it('shows a rate once there are enough ratings', async () => {
    answers['/stats/public'] = { ...few, ratings: 25, satisfied_share: 0.96, enough: true };
    await shown('home');
    expect(await screen.findByText('96%')).toBeTruthy();
  });

  it('names the ways to support with their codes, and only those there are', async () => {
    await shown('home');
    expect(await screen.findByText('sooner-help')).toBeTruthy();
    expect(screen.getByText('help@sooner.example')).toBeTruthy();
    cleanup();
    answers['/support'] = {
      ...support,
      wechat_id: null,
      wechat_qr: null,
      group_name: null,
      group_qr: null,
      xiaohongshu_id: null,
    };
    await shown('home');
    expect(await screen.findByText('help@sooner.example')).toBeTruthy();
    expect(screen.queryByText('sooner-help')).toBeNull();
    expect(screen.queryByText(t('gallery.more'))).toBeNull();
  });

  it('says that this is a demonstration where it is one', async () => {
    await shown('home');
    expect(await screen.findByText(t('shell.demo'))).toBeTruthy();
  });
});

it('knows its pages by their addresses', () => {
  expect(['/', '/faq', '/faq/', '/privacy', '/dashboard'].map(openPageAt)).toEqual(['home', 'faq', 'faq', 'privacy', null]);
});

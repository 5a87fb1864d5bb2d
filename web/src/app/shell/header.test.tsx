import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Frame } from '../../../mock/Frame.tsx';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { TravelContext } from '../../shared/ui/Link.tsx';
import { PublicFooter } from '../documents/PublicFooter.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { BalanceChip } from './BalanceChip.tsx';
import { Header } from './Header.tsx';

// Long timeouts for slow machines.
vi.setConfig({ testTimeout: 60_000 });
configure({ asyncUtilTimeout: 30_000 });

const t = i18next.t.bind(i18next);
const go = vi.fn();
const scrolled = vi.fn();
const identity = { email: 'lin@example.com', display_name: null as string | null };

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  scrolled.mockClear();
  const credit = { credit: 1086.5, on_hold: 0, debt: 0, currency: 'CAD' };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ success: true, data: credit, error: null })));
  vi.stubGlobal('scrollTo', scrolled);
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

function shown(who = identity) {
  const account = (
    <>
      <BalanceChip />
      <AccountMenu identity={who} />
    </>
  );
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Frame>
        <TravelContext value={{ link: ({ to, ...rest }) => <a href={to} {...rest} />, go, speak: vi.fn() }}>
          <Header home="/" nav={null} account={account} bare={false} />
        </TravelContext>
      </Frame>
    </QueryClientProvider>,
  );
}

const scrollTo = (y: number) => {
  Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
  fireEvent.scroll(window);
};

describe('the header of a signed-in user', () => {
  // spec: 2.2.04, 9.17
  it('shrinks after 30 px and grows again at 10', () => {
    shown();
    const bar = () => document.querySelector('header > *')?.className;
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
    Reflect.deleteProperty(window, 'scrollY');
  });

  // spec: 2.2.01
  it('stays at the top; its logo scrolls up at home, and links home from elsewhere', () => {
    shown();
    expect(readFileSync(resolve(import.meta.dirname, 'Header.module.css'), 'utf8')).toMatch(/\.header \{\s+position: sticky;/);
    const logo = screen.getByRole('link', { name: t('shell.home') });
    expect(logo.getAttribute('href')).toBe('/');
    expect(fireEvent.click(logo)).toBe(false);
    expect(scrolled).toHaveBeenCalledWith({ top: 0 });
    scrolled.mockClear();
    // jsdom cannot leave a page, and logs an error.
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    window.history.replaceState(null, '', '/faq');
    expect(fireEvent.click(logo)).toBe(true);
    expect(scrolled).not.toHaveBeenCalled();
  });

  // spec: 2.2.05, 2.2.06, 2.2.07
  it('has a menu with the e-mail, the balance to two decimals with its currency, dashboard and settings', async () => {
    shown();
    const balance = t('shell.balance', { amount: '1,086.50', currency: 'CAD' });
    expect((await screen.findByRole('link', { name: balance })).textContent).toBe('1,086.50 CAD');
    fireEvent.click(screen.getByRole('button', { name: t('shell.account', { letter: 'L' }) }));
    const menu = await screen.findByRole('menu');
    expect(within(menu).getByText('lin@example.com')).toBeTruthy();
    expect(within(menu).getByText(balance)).toBeTruthy();
    const leads = (name: string) => within(menu).getByRole('menuitem', { name }).getAttribute('href');
    const names = ['nav.dashboard', 'nav.balance', 'nav.settings'] as const;
    expect(names.map((name) => leads(t(name)))).toEqual(['/dashboard', '/balance', '/settings']);
  });

  // spec: 10.7.44
  it('calls users by their chosen name', async () => {
    shown({ ...identity, display_name: '林知夏' });
    fireEvent.click(screen.getByRole('button', { name: t('shell.account', { letter: '林' }) }));
    const menu = within(await screen.findByRole('menu'));
    expect(menu.getByText('林知夏')).toBeTruthy();
    expect(menu.getByText('lin@example.com')).toBeTruthy();
  });
});

// spec: 2.2.29
it('ends each open page with links, the privacy page, and a disclaimer of affiliation', () => {
  render(
    <Frame>
      <PublicFooter />
    </Frame>,
  );
  const foot = within(screen.getByRole('contentinfo'));
  expect(foot.getByText(t('open.independent'))).toBeTruthy();
  expect(foot.getByText(t('open.terms'))).toBeTruthy();
  const rules = ['/pricing', '/refunds', '/terms', '/privacy'];
  const ways = foot.getAllByRole('link').map((link) => link.getAttribute('href'));
  for (const way of ['/#showcase', '/faq', '/status', '/auth/login', '/auth/register', '/#contact', ...rules])
    expect(ways).toContain(way);
});

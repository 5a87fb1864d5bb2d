import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../mock/api.ts';
import { day, task } from '../../mock/story.ts';
import { press, renderRoutes, STORY_MS, stage, t } from '../../mock/wizardKit.tsx';
import { WholeFaqPage } from '../features/site/faq/WholeFaqPage.tsx';
import { TestSchedulesPage } from '../features/support/TestSchedulesPage.tsx';
import { queryClient } from '../shared/api/queries.ts';
import { acceptLogin, endSession } from '../shared/api/session.ts';
import type { LoginAnswer } from '../shared/api/types.ts';
import { i18nReady } from '../shared/i18n/i18n.ts';
import { NotFoundPage } from './NotFoundPage.tsx';
import { RouteError } from './RouteError.tsx';

vi.setConfig({ testTimeout: STORY_MS });

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  cleanup();
  endSession();
  vi.unstubAllGlobals();
});

describe('the questions', () => {
  const questions = () => [...document.querySelectorAll('details')];
  const opened = () => questions().filter((one) => one.open).length;
  const read = () => questions().filter((one) => one.matches('[data-read]') && one.textContent?.includes(t('faq.read'))).length;
  const headings = () => screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent);

  afterEach(() => {
    window.location.hash = '';
    localStorage.clear();
  });

  // spec: 2.1.09, 2.12.01
  it.each(['zh', 'en'] as const)('are the six of the specification, each with its rules (%s)', async (language) => {
    await i18next.changeLanguage(language);
    renderRoutes({ '/faq': WholeFaqPage }, ['/faq']);
    const keys = ['continuous', 'multiCity', 'cancelCurrent', 'postPay', 'rechargeCode', 'pauseWhenSatisfied'] as const;
    expect(headings()).toEqual(keys.map((key) => t(`faq.${key}`)));
    expect(questions().map((one) => one.querySelector('[id]')?.id)).toEqual(keys);
    const rules = questions().map((one) => one.querySelectorAll('li').length);
    expect(Math.min(...rules)).toBeGreaterThanOrEqual(4);
    const shown = questions().map((one) => one.textContent ?? '');
    for (const [at, facts] of [/6.*40/, /./, /7.*2/, /365.*72/, /16.*10/, /30/].entries()) expect(shown[at]).toMatch(facts);
  });

  // spec: 2.12.02
  it.each(['zh', 'en'])('open and close all at once (%s)', async (language) => {
    await i18next.changeLanguage(language);
    renderRoutes({ '/faq': WholeFaqPage }, ['/faq']);
    expect([questions().length, opened()]).toEqual([6, 0]);
    press('faq.expandAll');
    expect(opened()).toBe(6);
    expect(read()).toBe(0);
    press('faq.collapseAll');
    expect(opened()).toBe(0);
  });

  // spec: 2.12.03
  it('can be marked as read one by one or all at once, which is stored', () => {
    const view = renderRoutes({ '/faq': WholeFaqPage }, ['/faq']);
    expect(read()).toBe(0);
    fireEvent.click(questions()[2]?.querySelector('summary') as HTMLElement);
    expect(opened()).toBe(1);
    expect(read()).toBe(1);
    expect(screen.getByText(t('faq.progress', { read: 1, all: 6 }))).toBeTruthy();
    view.unmount();
    renderRoutes({ '/faq': WholeFaqPage }, ['/faq']);
    expect(read()).toBe(1);
    press('faq.markAll');
    expect(read()).toBe(6);
    cleanup();
    renderRoutes({ '/faq': WholeFaqPage }, ['/faq']);
    expect(read()).toBe(6);
  });

  // spec: 10.13.06
  it('have an address each, which opens them', async () => {
    window.location.hash = '#postPay';
    renderRoutes({ '/faq': WholeFaqPage }, ['/faq']);
    expect(document.querySelector('#postPay')?.closest('details')?.open).toBe(true);
    expect([opened(), read()]).toEqual([1, 1]);
    window.location.hash = '#multiCity';
    await waitFor(() => expect(opened()).toBe(2));
    const links = within(screen.getByRole('navigation', { name: t('faq.jump') })).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toContain('#multiCity');
  });

  // spec: 10.13.06
  it('are published to search engines in both languages, word for word', async () => {
    for (const language of ['zh', 'en']) {
      await i18next.changeLanguage(language);
      const { unmount } = renderRoutes({ '/faq': WholeFaqPage }, ['/faq']);
      const page = document.querySelector('[itemscope][itemtype$="/FAQPage"]');
      const questions = [...(page?.querySelectorAll('[itemprop="mainEntity"][itemtype$="/Question"]') ?? [])];
      expect(questions).toHaveLength(6);
      expect(questions[0]?.querySelector('[itemprop="name"]')?.textContent).toBe(t('faq.continuous'));
      const answer = questions[0]?.querySelector('[itemprop="acceptedAnswer"][itemtype$="/Answer"] [itemprop="text"]');
      expect(answer?.textContent).toContain(t('faq.continuousPace'));
      unmount();
    }
  });

  // spec: 2.12.04
  it('link a signed-in user, and only them, back to the dashboard', () => {
    const view = renderRoutes({ '/faq': WholeFaqPage }, ['/faq']);
    expect(screen.queryByRole('link', { name: t('wizard.toDashboard') })).toBeNull();
    view.unmount();
    stage();
    renderRoutes({ '/faq': WholeFaqPage }, ['/faq']);
    expect(screen.getByRole('link', { name: t('wizard.toDashboard') }).getAttribute('href')).toBe('/dashboard');
  });
});

// spec: 2.1.14
it.each([
  ['zh', '找不到页面'],
  ['en', 'Page Not Found'],
])('shows for an unknown address that there is no such page (%s)', async (language, heading) => {
  await i18next.changeLanguage(language);
  renderRoutes({ '*': NotFoundPage }, ['/no/such/page']);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading);
});

describe('a page with an error', () => {
  const broken = (message: string) => () => {
    throw new TypeError(message);
  };

  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
  });

  // spec: 2.1.17, 2.9.09
  it('shows an unexpected application error, a reload button and the details for support', async () => {
    const copied = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal('navigator', { ...navigator, userAgent: 'a browser', clipboard: { writeText: copied } });
    renderRoutes({ '/faq': broken('x is not there?token=secret') }, ['/faq?token=secret'], { ErrorBoundary: RouteError });
    expect(await screen.findByRole('heading', { name: 'Unexpected Application Error' })).toBeTruthy();
    expect(screen.getByText(/Reload the page; if it happens again, contact support/)).toBeTruthy();
    expect(screen.getByText(t('error.reload')).closest('button')).toBeTruthy();
    fireEvent.click(screen.getByText('Copy details'));
    await screen.findByText('Copied');
    expect(copied.mock.calls[0]?.[0]).toMatch(/^TypeError: x is not there/);
    expect(copied.mock.calls[0]?.[0]).not.toContain('secret');
  });

  // spec: 2.9.09
  it('says that there is a newer version if a part of the old one is missing', async () => {
    const gone = broken('Failed to fetch dynamically imported module: /assets/FaqPage-1.js');
    renderRoutes({ '/faq': gone }, ['/faq'], { ErrorBoundary: RouteError });
    expect(await screen.findByText(/A new version is available/)).toBeTruthy();
  });
});

describe('the page for debugging', () => {
  // spec: 2.1.13, 7.4.06
  it('shows the sign-in without any token, the raw response of ten tasks, and their parsed form', async () => {
    const { calls, world } = stage('lin@example.com');
    const user = { id: 'u1', username: 'lin@example.com', email: 'lin@example.com' };
    acceptLogin({ access_token: 'secret-a', refresh_token: 'secret-r', user } as LoginAnswer, true);
    renderRoutes({ '/test-schedules': TestSchedulesPage }, ['/test-schedules']);
    const raw = await screen.findByRole('region', { name: t('testPage.raw') });
    expect(calls('GET /schedules').map(({ call }) => call)).toEqual(['GET /schedules?page=1&page_size=10']);
    expect(JSON.parse(raw.textContent ?? '')).toMatchObject({ success: true, data: { page: 1 }, error: null });
    expect(screen.getByText(/status 200/)).toBeTruthy();
    const [first] = screen.getAllByRole('heading', { level: 3 });
    expect(first?.textContent).toBe('Toronto · linzhixia@example.com');
    const facts = within(first?.parentElement as HTMLElement);
    for (const text of ['Monitoring · active', '100%', 'Canada', 'Toronto Consulate', day(266), 'Normal priority'])
      expect(facts.getByText(text)).toBeTruthy();
    expect(screen.getByText('lin@example.com')).toBeTruthy();
    expect(world.tasks.size).toBe(screen.getAllByRole('heading', { level: 3 }).length);
    expect(document.body.textContent).not.toContain('secret-');
  });

  it('also shows a draft, which has no criteria yet', async () => {
    const { world } = stage('lin@example.com');
    const draft = task({ id: 'draft', status: 'draft' });
    Object.assign(draft.schedule_config, { search_params: null });
    world.tasks.set('draft', draft);
    renderRoutes({ '/test-schedules': TestSchedulesPage }, ['/test-schedules']);
    expect(await screen.findByText('3 tasks')).toBeTruthy();
    expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(3);
  });

  it('shows a failure unchanged, and retries', async () => {
    const { replies } = stage('lin@example.com');
    replies.set('GET /schedules', () => fail(503, 'UNAVAILABLE', 'busy'));
    renderRoutes({ '/test-schedules': TestSchedulesPage }, ['/test-schedules']);
    expect(await screen.findByText(/"code": "UNAVAILABLE"/)).toBeTruthy();
    expect(screen.getByText(t('testPage.unreadable'))).toBeTruthy();
    replies.clear();
    press('testPage.again');
    expect(await screen.findByText('2 tasks')).toBeTruthy();
  });
});

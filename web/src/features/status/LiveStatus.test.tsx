import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, ok } from '../../../mock/api.ts';
import { historyOf, statusOf } from '../../../mock/system.ts';
import { press, renderRoutes, STORY_MS, stage, t } from '../../../mock/wizardKit.tsx';
import { queryClient } from '../../shared/api/queries.ts';
import { endSession } from '../../shared/api/session.ts';
import type { StatusHistory, SystemStatus } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { LiveStatus } from './LiveStatus.tsx';
import { answered, fineSince, percent, spanOf } from './uptime.ts';

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
  vi.restoreAllMocks();
  window.dispatchEvent(new Event('online'));
});

const open = () => renderRoutes({ '/status': LiveStatus }, ['/status']);
/**
 * Fires the event with which the browser reports a network connection. The page then polls at once.
 */
const pollAgain = () => act(() => void window.dispatchEvent(new Event('online')));
const card = (name: string) => within(screen.getByRole('region', { name }));

/** Replaces the status that the fake server reports. */
function serve(status: (told: SystemStatus) => void, history: (told: StatusHistory) => void = () => undefined) {
  const on = stage();
  const changed = <T,>(told: T, change: (data: T) => void) => {
    const data = structuredClone(told);
    change(data);
    return ok(data);
  };
  // The longer path comes first, because the fake server matches paths by their beginning.
  on.replies.set('GET /status/history', () => changed(historyOf(on.world), history));
  on.replies.set('GET /status', () => changed(statusOf(on.world), status));
  return on;
}

describe('the status page', () => {
  // spec: 10.13.03
  it.each(['zh', 'en'])('shows a day, a month and three, with their incidents (%s)', async (language) => {
    await i18next.changeLanguage(language);
    stage();
    open();
    expect(await screen.findByText(t('status.fine'))).toBeTruthy();
    const portal = card(t('status.portal'));
    await waitFor(() => expect(portal.getAllByRole('slider')).toHaveLength(2));
    expect(portal.getByText('98.4')).toBeTruthy();
    expect(portal.getByText(t('status.ofLooks', { looks: '133' }))).toBeTruthy();
    expect(portal.getByRole('img').getAttribute('aria-label')).toContain('3.4');
    const incidents = card(t('status.incidents')).getAllByRole('listitem');
    expect(incidents.map((one) => within(one).getByRole('heading').textContent)).toEqual([
      t('status.incidentSlow', { span: t('status.spanHours', { count: 1 }) }),
      t('status.incidentDown', { span: t('status.spanHours', { count: 5 }) }),
    ]);
    expect(card(t('status.engine')).getByText(t('status.onTime'))).toBeTruthy();
    expect(card(t('status.delivery')).getByText(t('status.mailSent'))).toBeTruthy();
  });

  // spec: 10.13.03
  it('shows every hour and day by keyboard', async () => {
    stage();
    open();
    const [hours, days] = (await waitFor(() => {
      const found = screen.getAllByRole('slider');
      expect(found).toHaveLength(2);
      return found;
    })) as [HTMLElement, HTMLElement];
    expect(hours.getAttribute('aria-valuetext')).toBe('1 slow');
    expect(hours.querySelectorAll('[data-state]')).toHaveLength(24);
    for (let at = 0; at < 17; at += 1) fireEvent.keyDown(hours, { key: 'ArrowLeft' });
    expect(hours.getAttribute('aria-valuetext')).toMatch(/: slow · 7 checks · 2 without an answer · 3\.4 s on average$/);
    // There are records of 67 days and today. Earlier days must not appear as days without checks.
    expect(days.querySelectorAll('[data-state]')).toHaveLength(68);
    fireEvent.keyDown(days, { key: 'Home' });
    expect(days.getAttribute('aria-valuetext')).toMatch(/: operational · 127 checks/);
    expect([days.getAttribute('aria-valuenow'), days.getAttribute('aria-valuemax')]).toEqual(['1', '68']);
  });

  // spec: 10.13.04
  it('shows that our own server is silent, keeps its last report, and recovers', async () => {
    const { replies } = stage();
    open();
    await screen.findByText(t('status.fine'));
    replies.set('GET /status', () => 'no network');
    pollAgain();
    expect((await screen.findByRole('alert')).textContent).toMatch(/Our server is not responding.*What you see below is from/);
    expect(card(t('status.site')).getByText(t('status.siteDown'))).toBeTruthy();
    expect(card(t('status.portal')).getByText('98.4')).toBeTruthy();
    replies.clear();
    press('status.retry');
    expect(await screen.findByText(t('status.fine'))).toBeTruthy();
    expect(card(t('status.site')).getByText(t('status.siteOk'))).toBeTruthy();
  });

  // spec: 10.13.04
  it('does not claim that everything works once the network is gone', async () => {
    const { replies } = stage();
    open();
    await screen.findByText(t('status.fine'));
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    replies.set('GET /status', () => 'no network');
    act(() => void window.dispatchEvent(new Event('offline')));
    expect((await screen.findByRole('alert')).textContent, 'at once').toContain(t('status.offline'));
    pollAgain();
    expect((await screen.findByRole('alert')).textContent).toContain(t('status.offline'));
    expect(card(t('status.site')).getByText(t('status.siteOffline'))).toBeTruthy();
    expect(card(t('status.site')).queryByText(t('status.siteDown')), 'who is offline cannot know').toBeNull();
    replies.clear();
    online.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText(t('status.fine'))).toBeTruthy();
  });

  // spec: 10.13.04
  it('reports that nothing was ever received', async () => {
    const { replies } = stage();
    replies.set('GET /status', () => fail(503, 'UNAVAILABLE', 'busy'));
    open();
    expect((await screen.findByRole('alert')).textContent).toContain(t('status.unreachableNoData'));
    expect(screen.queryByRole('region', { name: t('status.portal') })).toBeNull();
  });

  // spec: 10.13.05
  it('makes no claim without a poll', async () => {
    stage('quiet@example.com');
    open();
    expect(await screen.findByText(t('status.neverAsked'))).toBeTruthy();
    expect(await screen.findByText(t('status.nothingRecorded'))).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/\d %|No incident/);
    expect(card(t('status.engine')).getByText(t('status.nobodyWaits'))).toBeTruthy();
  });

  // spec: 10.13.03
  it('lists the worst state first, with its start', async () => {
    const begun = new Date(Date.now() - 3 * 3_600_000).toISOString();
    serve(({ portal, delivery }) => {
      Object.assign(portal, { state: 'down', since: begun });
      Object.assign(delivery, { mail: 'failing', waiting: 2, failing: 1, waiting_seconds: 600 });
    });
    open();
    const banner = await screen.findByRole('alert');
    expect(banner.textContent).toMatch(/The official site is not responding.*Since .*\(3 hours\)/);
    expect(card(t('status.delivery')).getByText('10 minutes')).toBeTruthy();
    cleanup();
    queryClient.clear();
    serve(({ portal, engine }) => {
      engine.active = false;
      portal.state = 'down';
    });
    open();
    expect((await screen.findByRole('alert')).textContent).toContain('The monitoring engine has stopped');
  });

  it.each([
    ['en', /Checking and booking are paused.*The operator paused them on .*\(2 hours ago\)/],
    ['zh', /查询和改约已暂停.*运营者自 .* 起暂停了查询和改约，已 2 小时/],
  ])('shows that the operator has paused the engine, since when, and no next check (%s)', async (language, texts) => {
    await i18next.changeLanguage(language);
    serve(({ engine, portal }) => {
      engine.paused_since = new Date(Date.now() - 2 * 3_600_000 - 5_000).toISOString();
      portal.state = 'slow';
    });
    open();
    expect((await screen.findByRole('alert')).textContent).toMatch(texts);
    const engine = card(t('status.engine'));
    expect(engine.getByText(t('status.enginePaused'))).toBeTruthy();
    expect(engine.getByText(t('status.notWhilePaused'))).toBeTruthy();
    expect(engine.queryByText(t('status.engineOn'))).toBeNull();
    expect(engine.queryByText(t('status.punctual'))).toBeNull();
  });

  // spec: 10.13.03
  it('claims no incident-free period during an incident, even if the present state is fine', async () => {
    serve(
      () => undefined,
      (history) => {
        history.recorded_since = '2026-08-23T15:00:00Z';
        history.incidents = history.incidents.slice(0, 1).map((incident) => ({ ...incident, ends: null }));
      },
    );
    open();
    expect(await screen.findByText(t('status.goesOn'))).toBeTruthy();
    expect(screen.getByRole('status').textContent).toContain(t('status.fineNow'));
    expect(document.body.textContent).not.toContain('No incident since');
  });

  // spec: 10.13.05
  it('claims an incident-free period only as far as records reach, and no rate of a few polls', async () => {
    serve(
      ({ portal }) => {
        portal.hours = portal.hours.map((hour, at) => (at < 22 ? { ...hour, state: 'none', looks: 0, failures: 0 } : hour));
      },
      (history) => {
        history.incidents = [];
        history.recorded_since = '2026-11-18T15:00:00Z';
        history.at = '2026-11-21T15:00:00Z';
        history.overdue_seconds = 1_800;
      },
    );
    open();
    expect((await screen.findByText(/No incidents since records began/)).textContent).toContain('2026');
    expect(card(t('status.portal')).getByText('12')).toBeTruthy();
    expect(card(t('status.portal')).queryByText(/12 \/ 20/)).toBeNull();
    expect(card(t('status.engine')).getByText('30 minutes late')).toBeTruthy();
  });
});

describe('the start of the incident-free period', () => {
  const told: StatusHistory = {
    at: '2026-11-21T15:00:00Z',
    recorded_since: '2026-08-23T15:00:00Z',
    days: [],
    incidents: [],
    watching: true,
    overdue_seconds: null,
  };

  // spec: 10.13.03
  it('is no earlier than the listed incidents and the records', () => {
    expect(fineSince(told)).toBe('2026-10-22T15:00:00.000Z');
    expect(fineSince({ ...told, recorded_since: '2026-11-18T15:00:00Z' })).toBe('2026-11-18T15:00:00.000Z');
    expect([fineSince({ ...told, recorded_since: null }), fineSince(undefined)]).toEqual([null, null]);
  });

  it('is the end of the last incident, and absent during one', () => {
    const hours = { begins: '2026-11-20T08:00:00Z', ends: '2026-11-20T13:00:00Z' };
    const last = { ...hours, state: 'down', looks: 3, failures: 9, latency_ms: null } as const;
    expect(fineSince({ ...told, incidents: [last] })).toBe(hours.ends);
    expect(fineSince({ ...told, incidents: [{ ...last, ends: null }, last] })).toBeNull();
  });
});

describe('a share of answered polls', () => {
  it('is never rounded up to 100 percent', () => {
    expect([1, 0.9999, 0.57, 0.5, 0].map(percent)).toEqual(['100', '99.9', '57.0', '50.0', '0']);
    expect(answered([{ state: 'ok', looks: 3, failures: 1, latency_ms: 1 }])).toEqual({ looks: 4, answers: 3, share: 0.75 });
    expect(answered([])).toEqual({ looks: 0, answers: 0, share: null });
  });

  it('shows durations in the unit that fits', () => {
    expect([59, 3_599, 3_600, 172_799, 172_800].map((span) => spanOf(span).count)).toEqual([59, 59, 1, 47, 2]);
  });
});

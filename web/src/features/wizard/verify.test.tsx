import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Code, fail, ok } from '../../../mock/api.ts';
import { boxes, button, choose, press, reload, STORY_MS, signIn, stage, t, VERIFY } from '../../../mock/wizardKit.tsx';
import { clearUserData } from '../../app/clearUserData.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { endSession, onLogout } from '../../shared/api/session.ts';
import type { VerifyProgress } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { forgetWizard } from './wizardDraft.ts';

vi.setConfig({ testTimeout: STORY_MS });

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
  // Makes the random delay before an action as short as possible.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => {
  cleanup();
  endSession();
  forgetWizard();
  vi.unstubAllGlobals();
});

const progress = (over: Partial<VerifyProgress>): VerifyProgress => ({
  stage: 'queued',
  step: 0,
  steps: 6,
  groups_found: null,
  groups_read: null,
  since: new Date().toISOString(),
  ...over,
});

describe('step 1', () => {
  // spec: 2.9.01, 5.2.01
  it('requires complete credentials before it signs in', async () => {
    const { open, calls } = stage();
    open();
    await screen.findByText(t('portal.title'));
    press('portal.verify');
    expect(await screen.findByText('Enter your username and password for the official site')).toBeTruthy();
    expect(screen.getByText(t('portal.usernameMissing'))).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText(t('portal.username')));
    expect(calls(VERIFY)).toHaveLength(0);
  });

  it('signs in once, however often the user presses the button', async () => {
    const { open, replies, calls } = stage();
    replies.set(VERIFY, () => new Promise(() => undefined));
    open();
    await signIn();
    press('portal.verify');
    await screen.findByRole('dialog', { name: t('overlay.title') });
    expect(calls(VERIFY)).toHaveLength(1);
  });

  // spec: 3.59, 9.38
  it('defaults to Canada and a non-immigrant visa, and lists China and the United States as not served', async () => {
    const { open } = stage();
    open();
    await screen.findByText(t('portal.title'));
    const [country, type] = screen.getAllByRole('combobox');
    await waitFor(() => expect(country?.textContent).toBe('Canada'));
    expect(type?.textContent).toBe('Non-immigrant visa');
    fireEvent.click(country as HTMLElement);
    const list = within(await screen.findByRole('listbox'));
    const cities = 'Beijing, Shanghai, Guangzhou, Chengdu, Shenyang';
    for (const text of [`China · uses another system${cities}`, 'United States · uses another system']) {
      const option = (await list.findAllByRole('option')).find((one) => one.textContent === text);
      expect([text, option?.getAttribute('aria-disabled')]).toEqual([text, 'true']);
    }
  });

  // spec: 2.9.05
  it('shows the server’s progress of the verification, then continues', async () => {
    const { open, replies, calls } = stage();
    let answer: (() => void) | undefined;
    let at = progress({ stage: 'signing_in', step: 2 });
    const asked: number[] = [];
    replies.set('GET /schedules/verify-credentials/', () => {
      asked.push(Date.now());
      return ok(at);
    });
    let begun = Number.POSITIVE_INFINITY;
    replies.set(VERIFY, () => {
      begun = Date.now();
      return new Promise((resolve) => (answer = () => resolve(fail(404, 'NOT_FOUND', 'no'))));
    });
    open();
    await signIn();
    const overlay = within(await screen.findByRole('dialog', { name: t('overlay.title') }));
    expect(await overlay.findByText('Checking your username and password…')).toBeTruthy();
    expect((asked[0] ?? 0) - begun, 'not before the server knows of it').toBeGreaterThan(800);
    expect(overlay.getByText('Step 3 of 6')).toBeTruthy();
    expect(overlay.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('33');
    at = progress({ stage: 'reading_details', step: 4, groups_found: 4, groups_read: 1 });
    expect(await overlay.findByText('1 of 4 groups read')).toBeTruthy();
    expect(overlay.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('71');
    const [order] = calls(VERIFY);
    expect(calls('GET /schedules/verify-credentials/')[0]?.call.endsWith(String(order?.body.progress_id))).toBe(true);
    answer?.();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  // spec: 2.9.05
  it('counts the seconds if the server reports no progress, and changes its tips', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { open, replies } = stage();
    replies.set(VERIFY, () => new Promise(() => undefined));
    open();
    await signIn();
    const overlay = within(await screen.findByRole('dialog', { name: t('overlay.title') }));
    expect(overlay.getByText(t('overlay.working'))).toBeTruthy();
    // The bar is empty at first. A bar that ran ahead would have to move back when the server
    // reports progress.
    expect(overlay.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('0');
    expect(overlay.getByText(t('overlay.tip1'))).toBeTruthy();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(await overlay.findByText(t('overlay.cheer1'))).toBeTruthy();
    expect(overlay.getByRole('progressbar').getAttribute('aria-valuenow')).toBeNull();
    // The fake clock also advances by real time, so the exact number of seconds varies.
    expect(await overlay.findByText(/^(?:9|1\d) seconds so far/)).toBeTruthy();
    await vi.advanceTimersByTimeAsync(22_000);
    expect(await overlay.findByText(t('overlay.longer'))).toBeTruthy();
    vi.useRealTimers();
  });

  // spec: 8.2.02, 8.2.06
  it.each(['zh', 'en'])('reports once that a portal password was refused, and claims nothing else (%s)', async (language) => {
    await i18next.changeLanguage(language);
    const { open, calls } = stage();
    const { router } = open();
    await signIn('lin@portal.example', 'wrong');
    expect(await screen.findByText(t('verify.failed'))).toBeTruthy();
    expect(screen.getByText(t('problem.portalRejected'))).toBeTruthy();
    const fields = (['portal.username', 'portal.password'] as const).map((key) =>
      screen.getByLabelText(t(key), { selector: 'input' }),
    );
    await waitFor(() => expect(fields.map((field) => field.getAttribute('aria-invalid'))).toEqual(['true', 'true']));
    await waitFor(() => expect(document.activeElement).toBe(fields[1]));
    expect(calls(VERIFY)).toHaveLength(1);
    expect(router.state.location.search).toBe('');
    expect(Object.keys(localStorage).filter((name) => name.startsWith('sooner.verify.'))).toEqual([]);
  });

  // spec: 8.2.02, 8.2.03
  it('suggests checking the account if a failure has no reason', async () => {
    const { open, replies } = stage();
    replies.set(VERIFY, () => fail(418, 'NEW_TROUBLE' as Code, 'strange'));
    open();
    await signIn();
    expect(await screen.findByText('Credential verification failed')).toBeTruthy();
    expect(screen.getByText('Please check account information')).toBeTruthy();
  });

  // spec: 8.2.07
  it('reports that an account has nothing to monitor', async () => {
    const { open, replies } = stage();
    replies.set(VERIFY, () => ok({ schedules: [], left_out: [], verified_at: new Date().toISOString() }));
    open();
    await signIn();
    expect(await screen.findByText(/^No available appointments found in this account/)).toBeTruthy();
  });

  it('keeps the typed values after a network failure, and retries', async () => {
    const { open, replies } = stage();
    replies.set(VERIFY, () => 'no network');
    open();
    await signIn();
    expect(await screen.findByText(t('verify.lost'))).toBeTruthy();
    replies.clear();
    press('problem.retry');
    expect(await screen.findByText(t('wizard.whichAppointments'))).toBeTruthy();
  });

  it('shows how long a locked account has to wait, and until when', async () => {
    const { open, replies } = stage();
    replies.set(VERIFY, () => ({ ...fail(429, 'VERIFY_LIMIT', 'no'), headers: { 'Retry-After': '3600' } }));
    open();
    await signIn();
    expect(await screen.findByText(/Please wait 60 minutes before the next try/)).toBeTruthy();
    replies.set(VERIFY, () => fail(423, 'PORTAL_ACCOUNT_LOCKED', 'no', { until: '2026-11-21T20:00:00Z' }));
    press('portal.verify');
    expect(await screen.findByText(/has locked this account until 2026-.*11-.*21 3:00 PM/)).toBeTruthy();
  });

  // spec: 8.2.01
  it('offers the existing task, or another attempt', async () => {
    const { open, replies, calls } = stage();
    replies.set(VERIFY, () => fail(409, 'SCHEDULE_ALREADY_EXISTS', 'no', { owner: 'self', schedule_ids: ['t9'] }));
    open();
    await signIn();
    const dialog = within(await screen.findByRole('dialog', { name: t('verify.takenTitle') }));
    const existing = dialog.getByRole('link', { name: 'Use the existing task' });
    expect(existing.getAttribute('href')).toBe('/dashboard#task-t9');
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel and retry' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    press('portal.verify');
    await screen.findByRole('dialog', { name: t('verify.takenTitle') });
    expect(calls(VERIFY)).toHaveLength(2);
  });

  // spec: 8.2.01
  it("does not touch another user's appointment: cancel, or another account", async () => {
    const { open } = stage();
    open();
    await signIn('taken@portal.example');
    const dialog = within(await screen.findByRole('dialog', { name: t('verify.takenTitle') }));
    expect(dialog.getByText(/This appointment is already registered by another user/)).toBeTruthy();
    expect(dialog.queryByRole('link')).toBeNull();
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Try another account' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((screen.getByLabelText(t('portal.username'), { selector: 'input' }) as HTMLInputElement).value).toBe('');
  });
});

describe('the result of a verification', () => {
  // spec: 2.9.07, 7.4.08, 9.40
  it('is kept for 30 minutes without the password, shows its age, and is deleted at sign-out', async () => {
    const { open, calls } = stage();
    open();
    await signIn();
    expect(await screen.findByText(t('wizard.readNow'))).toBeTruthy();
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('Secret-1');
    reload();
    open();
    expect(await screen.findByText(t('wizard.goOn'))).toBeTruthy();
    press('wizard.goOn');
    expect(await screen.findByText(t('wizard.whichAppointments'))).toBeTruthy();
    expect(calls(VERIFY)).toHaveLength(1);
    reload();
    const began = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(began + 29 * 60_000);
    open('/schedule/wizard?step=2');
    expect(await screen.findByText('Read from your account 29 min ago')).toBeTruthy();
    reload();
    vi.spyOn(Date, 'now').mockReturnValue(began + 31 * 60_000);
    open('/schedule/wizard?step=2');
    expect(await screen.findByText(t('portal.expired'))).toBeTruthy();
    vi.mocked(Date.now).mockRestore();
    reload();
    onLogout(clearUserData);
    open('/schedule/wizard?step=2');
    await screen.findByText(t('wizard.whichAppointments'));
    endSession();
    expect(Object.keys(localStorage).filter((name) => name.startsWith('sooner.verify.'))).toEqual([]);
  });

  // spec: 2.9.07
  it('is refreshed after a countdown that can be undone, while the next step waits', async () => {
    const { open, calls } = stage();
    open();
    await signIn();
    await screen.findByText(t('wizard.readNow'));
    press('wizard.refresh');
    expect(screen.getByText('Refreshing in 1 s')).toBeTruthy();
    expect(button('wizard.next').disabled).toBe(true);
    press('task.undo');
    expect(button('wizard.next').disabled).toBe(false);
    expect(calls(VERIFY)).toHaveLength(1);
    press('wizard.refresh');
    await waitFor(() => expect(calls(VERIFY)).toHaveLength(2));
    expect(calls(VERIFY)[1]?.body.force_refresh).toBe(true);
  });

  it('requires the password before a refresh after a reload', async () => {
    const { open, calls } = stage();
    open();
    await signIn();
    await screen.findByText(t('wizard.readNow'));
    await choose(1);
    reload();
    open('/schedule/wizard?step=2');
    await screen.findByText(t('wizard.readNow'));
    expect(boxes()[0]?.checked).toBe(true);
    press('wizard.refresh');
    const dialog = within(await screen.findByRole('dialog', { name: t('wizard.refreshTitle') }));
    fireEvent.change(dialog.getByLabelText(t('portal.password'), { selector: 'input' }), { target: { value: 'Secret-1' } });
    fireEvent.click(dialog.getByRole('button', { name: t('portal.verify') }));
    await waitFor(() => expect(calls(VERIFY)).toHaveLength(2));
    expect(calls(VERIFY)[1]?.body.password).toBe('Secret-1');
  });
});

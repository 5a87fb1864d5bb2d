import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, ok } from '../../../mock/api.ts';
import { appointment, day, task } from '../../../mock/story.ts';
import { boxes, button, choose, press, reload, STORY_MS, signIn, stage, t, tile } from '../../../mock/wizardKit.tsx';
import { lastSubmission } from '../../parts/task/lastSubmission.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { endSession } from '../../shared/api/session.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { forgetWizard } from './wizardDraft.ts';

const CONFIGURE = 'POST /schedules/configure';
const SUBMIT = 'POST /schedules/submit';
vi.setConfig({ testTimeout: STORY_MS });

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
  vi.spyOn(Math, 'random').mockReturnValue(0);
  Element.prototype.scrollIntoView = vi.fn();
});

afterEach(() => {
  cleanup();
  endSession();
  forgetWizard();
  vi.unstubAllGlobals();
});

async function toStep2(email?: string) {
  const set = stage(email);
  const view = set.open();
  await signIn();
  await screen.findByText(t('wizard.whichAppointments'));
  return { ...set, ...view };
}

async function toStep3(email = 'rich-empty@example.com', groups = 2) {
  const set = await toStep2(email);
  set.world.credit = email.startsWith('rich') ? 246 : 46;
  await choose(groups);
  press('wizard.next');
  await screen.findByText(t('confirm.criteria'));
  return set;
}

const agree = () => fireEvent.click(screen.getByText(t('confirm.agree')));
/** Gives the consent and presses the submit button once the price is loaded. */
async function agreeAndSubmit() {
  agree();
  await waitFor(() => expect(button('submit.button').disabled).toBe(false));
  press('submit.button');
}

describe('step 2', () => {
  it('hides default criteria behind one sentence each', async () => {
    await toStep2();
    const more = screen.getByText('More conditions').closest('details') as HTMLDetailsElement;
    expect(more.open).toBe(false);
    expect(more.querySelector('summary')?.textContent).toBe(
      'More conditionsNo minimum notice. No days left out. Any day of the week, any time. ' +
        'Rebook only if it is at least 7 days earlier. Use at most 2 of your reschedules.',
    );
    const parts = [...more.querySelectorAll<HTMLElement>('[data-part]')].map((part) => part.dataset.part);
    expect(parts).toEqual(['minDays', 'excluded', 'days', 'changes', 'consent']);
  });

  // spec: 10.1.23
  it('chooses the city of the present appointment, which follows the choice until the user changes it', async () => {
    await toStep2();
    const pressed = () =>
      [...document.querySelectorAll('[data-part="cities"] [aria-pressed="true"]')].map((one) => one.textContent);
    const choice = (at: number) => fireEvent.click(boxes()[at] as HTMLElement);
    const vancouver = await tile('Vancouver');
    expect(pressed()).toEqual([]);
    choice(0);
    expect(pressed()).toEqual(['Vancouver1']);
    fireEvent.click(screen.getByText(t('editor.notify')));
    choice(0);
    expect(pressed(), 'without an appointment').toEqual([]);
    choice(0);
    choice(1);
    expect(pressed(), 'a group without a city adds none').toEqual(['Vancouver1']);
    fireEvent.click(await tile('Ottawa'));
    fireEvent.click(vancouver);
    choice(0);
    choice(0);
    expect(pressed(), 'chosen by the user').toEqual(['Ottawa1']);
  });

  it('warns of a low balance before the last step, also for screen readers', async () => {
    await toStep2();
    await choose(2);
    const warning = await screen.findByText(/^Your balance is \d+\.\d\d CAD short\. You can top up in the next step\.$/);
    expect(warning.closest('[role="status"]')?.className).toContain('warning');
  });

  // spec: 3.26
  it('explains for each appointment why it cannot be chosen, and what is not scheduled or assigned', async () => {
    await toStep2();
    const rows = within(screen.getByRole('region', { name: t('wizard.whichAppointments') })).getAllByRole('listitem');
    expect(boxes().map((box) => box.getAttribute('aria-label'))).toEqual(['Wang Jiaqi', 'Sun Haoran, Sun Yifei']);
    const text = rows.map((row) => row.textContent ?? '');
    expect(text[1]).toContain('Not scheduled');
    expect(text[1]).toContain('Not assigned');
    expect(text[1]).toMatch(/Visa fee expires in 21 days, on/);
    expect(text[2]).toContain('Already monitored by your task.');
    expect(text[3]).toContain('The visa fee is not paid yet. Pay it on the official site, then refresh.');
    expect(text[4]).toMatch(/The visa fee expired on .*, 365 days after payment/);
  });

  it('tests the booking steps without booking, and describes the result', async () => {
    const { replies } = await toStep2();
    expect(screen.queryByText(t('check.title'))).toBeNull();
    await choose(1);
    press('check.start');
    expect(await screen.findByText(t('check.understood'))).toBeTruthy();
    expect(screen.getByText(t('check.unchanged'))).toBeTruthy();
    expect(screen.getByText(/: 12 dates, the earliest 20/)).toBeTruthy();
    replies.set('POST /schedules/0193-draft', () => fail(409, 'PORTAL_SIGNED_OUT', 'over'));
    press('check.again');
    expect(await screen.findByText(t('problem.portalSignedOut'))).toBeTruthy();
    replies.set('POST /schedules/0193-draft', () =>
      ok({
        form: 'not_as_known' as const,
        attempts_left: null,
        cities: [{ facility: 'Toronto', offered: false, dates: null, earliest: null }],
      }),
    );
    press('check.again');
    expect(await screen.findByText(t('check.notAsKnown'))).toBeTruthy();
    expect(screen.getByText('Toronto: not offered by the form')).toBeTruthy();
  });

  // spec: 3.24
  it('names applicants from another country before submitting, in both languages', async () => {
    await toStep3('rich-empty@example.com', 2);
    for (const [language, textKey] of [
      ['en', 'Traveling from another country'],
      ['zh', '从其他国家前来申请'],
    ] as const) {
      await act(() => i18next.changeLanguage(language));
      const elements = screen.getAllByText(textKey);
      expect(elements.length, 'of two groups one').toBe(1);
      expect(elements[0]?.closest('li')?.textContent).toContain('Wang Jiaqi');
    }
  });

  // spec: 7.4.05
  it('requests up to a hundred of the user’s tasks, and does not offer again what they monitor', async () => {
    const set = stage();
    set.world.tasks.set(
      't1',
      task({
        id: 't1',
        status: 'stopped',
        portal_schedule_id: '58301144',
        appointments: [appointment({ schedule_id: '58301144' })],
      }),
    );
    set.open();
    await signIn();
    await waitFor(() => expect(screen.getAllByRole('link', { name: t('reason.openTask') })).toHaveLength(2));
    expect(set.calls('GET /schedules?page=1&page_size=100')).toHaveLength(1);
    const [link] = screen.getAllByRole('link', { name: t('reason.openTask') });
    expect(link?.getAttribute('href')).toBe('/dashboard#task-t1');
    expect(boxes()).toHaveLength(1);
  });

  // spec: 5.2.02
  it('requires an appointment and a city, and scrolls to what is missing', async () => {
    const { calls } = await toStep2();
    press('wizard.next');
    expect((await screen.findAllByText('Select at least one appointment')).length).toBeGreaterThan(0);
    expect(screen.getByText(t('editor.completeFirst'))).toBeTruthy();
    expect(document.body.textContent, 'each in one wording').not.toContain(t('editor.citiesMissing'));
    expect(screen.getAllByText('Please select at least one monitoring city').length).toBeGreaterThan(0);
    expect(calls(CONFIGURE)).toHaveLength(0);
  });

  // spec: 4.3.07
  it('warns of a fee of the chosen appointments that expires soon', async () => {
    await toStep2();
    fireEvent.click(boxes()[1] as HTMLInputElement);
    expect(await screen.findByText('The visa fee of 1 chosen appointment expires soon')).toBeTruthy();
  });

  // spec: 8.2.09
  it('configures each task once, names refused ones with the reason, and repeats only those', async () => {
    const { calls, replies } = await toStep2();
    await choose();
    replies.set(CONFIGURE, (body) =>
      body.schedule_id === '0193-draft-1'
        ? fail(422, 'VALIDATION_FAILED', 'no', { fields: { selected_appointments: 'not_selectable' } })
        : null,
    );
    press('wizard.next');
    expect(await screen.findByText('Configuration failed')).toBeTruthy();
    expect(screen.getByText(/no longer lets this appointment be monitored/)).toBeTruthy();
    expect(screen.getByText(/^1 saved, 1 not/)).toBeTruthy();
    expect(calls(CONFIGURE).map(({ body }) => body.schedule_id)).toEqual(['0193-draft-0', '0193-draft-1']);
    expect(calls(CONFIGURE)[0]?.body).toMatchObject({
      selected_appointments: [{ schedule_id: '58301144', ivr_account_number: '14027735' }],
      search_params: { start_date: day(1), required_cities: ['Ottawa'], minimum_days_from_current: 0 },
      booking_mode: 'auto',
    });
    replies.clear();
    press('wizard.next');
    expect(await screen.findByText(t('confirm.criteria'))).toBeTruthy();
    expect(calls(CONFIGURE).map(({ body }) => body.schedule_id)).toEqual(['0193-draft-0', '0193-draft-1', '0193-draft-1']);
  });

  // spec: 2.9.04
  it('links back to the first step and to the dashboard', async () => {
    const { router } = await toStep2();
    expect(screen.getByRole('link', { name: t('wizard.toDashboard') }).getAttribute('href')).toBe('/dashboard');
    press('wizard.previous');
    expect(await screen.findByText(t('portal.title'))).toBeTruthy();
    expect(router.state.location.search).toBe('?step=1');
  });
});

describe('the wizard', () => {
  it('restores its step, choices and criteria after a reload', async () => {
    const { open } = await toStep3();
    reload();
    open('/schedule/wizard?step=3');
    expect(await screen.findByText(t('confirm.criteria'))).toBeTruthy();
    expect(screen.getAllByText(/Wang Jiaqi/).length).toBeGreaterThan(0);
    reload();
    open('/schedule/wizard?step=2');
    expect((await tile('Ottawa')).getAttribute('aria-pressed')).toBe('true');
    expect(boxes().map((box) => box.checked)).toEqual([true, true]);
  });

  // spec: 2.9.08
  it.each(['4', '0', 'two', '1.5'])('warns of an unknown step: %s', async (step) => {
    const { open } = stage();
    open(`/schedule/wizard?step=${step}`);
    expect(await screen.findByText('This step does not exist')).toBeTruthy();
    expect(screen.getByRole('link', { name: t('wizard.startOver') }).getAttribute('href')).toBe('/schedule/wizard?step=1');
  });

  it('does not open a later step before the earlier ones are complete', async () => {
    const { open } = stage();
    const { router } = open('/schedule/wizard?step=3');
    expect(await screen.findByText(t('portal.title'))).toBeTruthy();
    expect(router.state.location.search).toBe('?step=1');
    expect(screen.queryByText(t('portal.expired'))).toBeNull();
  });
});

describe('step 3', () => {
  // spec: 2.9.03, 4.3.08
  it('sums up applicants, criteria and the end of the visa fee', async () => {
    await toStep3();
    const rows = within(screen.getByRole('region', { name: t('confirm.appointments') })).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('Visa fee valid for 240 more days'),
      expect.stringContaining('Visa fee expires in 21 days'),
    ]);
  });

  it('states the earliest possible date without a minimum notice, and links back to the criteria', async () => {
    const { router } = await toStep3();
    expect(screen.getByText(t('confirm.soonest', { date: day(1) }))).toBeTruthy();
    press('confirm.edit');
    await screen.findByText(t('wizard.whichAppointments'));
    expect(router.state.location.search).toBe('?step=2');
    const notice = within(screen.getByRole('group', { name: t('editor.minDays') }));
    fireEvent.click(notice.getByRole('button', { name: '3' }));
    fireEvent.click(screen.getByLabelText(t('editor.lastAttempt')));
    press('wizard.next');
    await screen.findByText(t('confirm.criteria'));
    expect(screen.queryByText(t('confirm.soonest', { date: day(1) }))).toBeNull();
    const { form } = JSON.parse(sessionStorage.getItem('sooner.wizard') ?? '{}') as { form: { end: string } };
    expect(document.body.textContent?.replaceAll('\u2060', '')).toContain(
      t('plain.lastAttempt', { date: form.end }).replaceAll('\u2060', ''),
    );
  });

  it('states that an ask-first task books nothing without approval', async () => {
    await toStep3();
    expect(screen.queryByText(t('confirm.agreeAsk'))).toBeNull();
    press('confirm.edit');
    await screen.findByText(t('wizard.whichAppointments'));
    fireEvent.click(screen.getByRole('radio', { name: new RegExp(t('editor.ask')) }));
    press('wizard.next');
    expect(await screen.findByRole('checkbox', { name: t('confirm.agreeAsk') })).toBeTruthy();
    expect(document.body.textContent).toContain(t('plain.askFirst'));
  });

  // spec: 5.2.31
  it('submits only what was confirmed, after a countdown that can be undone', async () => {
    const { calls, router } = await toStep3();
    expect(button('submit.button').disabled).toBe(true);
    expect(screen.getByText(/Please confirm the information to submit\./)).toBeTruthy();
    await agreeAndSubmit();
    expect(screen.getByText('Submitting in 1 s')).toBeTruthy();
    press('task.undo');
    press('submit.button');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(calls(SUBMIT)).toHaveLength(1);
    expect(calls(SUBMIT)[0]?.body).toMatchObject({ schedule_ids: ['0193-draft-0', '0193-draft-1'] });
    expect(lastSubmission.get()).toEqual(['0193-draft-0', '0193-draft-1']);
  });

  it('repeats an order with the same key after a lost response, even after a reload', async () => {
    const { calls, replies, open } = await toStep3();
    replies.set(SUBMIT, () => 'no network');
    await agreeAndSubmit();
    expect(await screen.findByText('Submission failed')).toBeTruthy();
    expect(screen.getByText(/the same order is never placed twice/)).toBeTruthy();
    const order = sessionStorage.getItem('sooner.order');
    reload();
    expect(sessionStorage.getItem('sooner.order')).toBe(order);
    replies.clear();
    open('/schedule/wizard?step=3');
    await screen.findByText(t('confirm.criteria'));
    await agreeAndSubmit();
    await waitFor(() => expect(calls(SUBMIT)).toHaveLength(2));
    expect(calls(SUBMIT)[0]?.key).toBeTruthy();
    expect(calls(SUBMIT)[1]?.key).toBe(calls(SUBMIT)[0]?.key);
  });

  // spec: 8.2.10
  it('explains why a submit failed', async () => {
    const { replies } = await toStep3();
    replies.set(SUBMIT, () => fail(503, 'MONEY_FROZEN', 'frozen'));
    await agreeAndSubmit();
    expect(await screen.findByText('Submission failed')).toBeTruthy();
    expect(screen.getByText(/Payments are paused while we check our books/)).toBeTruthy();
  });

  // spec: 5.3.03
  it('checks a top-up code before the submit, and does not submit with an unused one', async () => {
    const { calls, world } = await toStep3();
    const before = world.credit;
    agree();
    press('confirm.codeAsk');
    const code = await screen.findByLabelText(t('topup.label'), { selector: 'input' });
    fireEvent.change(code, { target: { value: '3f9ac204' } });
    await waitFor(() => expect(button('submit.button').disabled).toBe(false));
    press('submit.button');
    expect(await screen.findByText(/The top-up code is incomplete/)).toBeTruthy();
    fireEvent.change(code, { target: { value: '3f9ac2047b1e88d0' } });
    expect(await screen.findByText(t('topup.valid'))).toBeTruthy();
    press('submit.button');
    expect(await screen.findByText(/The top-up code has not been used yet/)).toBeTruthy();
    expect(calls(SUBMIT)).toHaveLength(0);
    press('topup.button');
    const done = within(await screen.findByRole('dialog', { name: t('topup.done') }));
    fireEvent.click(done.getByRole('button', { name: t('topup.close') }));
    await waitFor(() => expect(world.credit).toBe(before + 100));
    await waitFor(() => expect(screen.queryByText(/The top-up code has not been used yet/)).toBeNull());
    press('submit.button');
    await waitFor(() => expect(calls(SUBMIT)).toHaveLength(1));
  });
});

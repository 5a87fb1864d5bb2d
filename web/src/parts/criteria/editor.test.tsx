import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, type Code, fail, ok } from '../../../mock/api.ts';
import { renderAt } from '../../../mock/kit.tsx';
import { day } from '../../../mock/story.ts';
import { button, press, renderRoutes, STORY_MS, stage, t } from '../../../mock/wizardKit.tsx';
import { EditPage } from '../../features/task/EditPage.tsx';
import { queryClient } from '../../shared/api/queries.ts';
import { endSession } from '../../shared/api/session.ts';
import type { SearchParams, Task } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { EditDialog } from '../task/EditDialog.tsx';

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

const ID = '0193-on';
const STATUS = `GET /schedules/${ID}/status`;
const UPDATE = `PUT /schedules/${ID}`;

/** Opens the edit page of the example task from the dashboard. */
async function edit(language = 'en') {
  await i18next.changeLanguage(language);
  const set = stage('lin@example.com');
  const view = renderRoutes({ '/schedule/edit/:id': EditPage, '/dashboard': () => <p>dashboard</p> }, [
    '/dashboard',
    `/schedule/edit/${ID}`,
  ]);
  await screen.findByText(t('editor.which'));
  return { ...set, ...view };
}

const date = (key: 'editor.start' | 'editor.end' | 'editor.day' | 'editor.from' | 'editor.to') =>
  screen.getByLabelText(t(key)) as HTMLInputElement;
const enter = (field: HTMLInputElement, value: string) => fireEvent.change(field, { target: { value } });
const city = async (name: string) => {
  const [found] = (await screen.findAllByText(name)).filter((element) => element.closest('[data-part="cities"]'));
  fireEvent.click(found as HTMLElement);
};
const excluded = () => within(document.querySelector('[data-part="excluded"]') as HTMLElement);

describe('the parameter editor', () => {
  // spec: 5.2.11, 5.2.32
  it('disables Save while dates are missing or no city is chosen, and says why', async () => {
    await edit();
    expect(button('editor.save').disabled).toBe(false);
    enter(date('editor.end'), '');
    expect(button('editor.save').disabled).toBe(true);
    expect(
      document.querySelector('[data-part="window"] [role="img"]'),
      'the line does not come and go while one types',
    ).toBeTruthy();
    expect(screen.getByText('Please fill in complete information')).toBeTruthy();
    expect(screen.getByText('Please select valid time range')).toBeTruthy();
    enter(date('editor.end'), day(127));
    expect(button('editor.save').disabled).toBe(false);
    for (const name of ['Ottawa', 'Toronto', 'Montreal']) await city(name);
    expect(button('editor.save').disabled).toBe(true);
    expect(screen.getAllByText('Please select at least one monitoring city').length).toBeGreaterThan(0);
    enter(date('editor.start'), '');
    enter(date('editor.end'), '');
    expect(screen.getByText('Please select valid time range')).toBeTruthy();
  });

  // spec: 5.2.26, 5.2.27, 5.2.28, 5.2.29, 5.2.30
  it.each([
    ['editor.rangeInvalid', 'Invalid time range - end date must be after start date'],
    ['editor.cityRequired', 'At least one monitoring city must be selected'],
    ['editor.minDaysInvalid', 'Minimum days must be between 0 and 365'],
    ['editor.excludedOutside', 'Excluded dates must be within the monitoring time range'],
  ] as const)('lists all problems before it saves: %s', async (key, textKey) => {
    await edit();
    const other = screen.getAllByLabelText(t('editor.otherDays'))[0] as HTMLInputElement;
    if (key === 'editor.rangeInvalid') {
      expect(document.body.textContent).toContain(t('editor.window'));
      enter(date('editor.end'), day(20));
      expect(document.body.textContent, 'dates that cannot be have no length').toContain(`${t('editor.window')} –`);
    }
    if (key === 'editor.cityRequired') for (const name of ['Ottawa', 'Toronto', 'Montreal']) await city(name);
    if (key === 'editor.minDaysInvalid') enter(other, '366');
    if (key === 'editor.excludedOutside') enter(date('editor.start'), day(35));
    const list = within(
      screen.getByText('Please fix the following validation errors before saving').parentElement as HTMLElement,
    );
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([textKey]);
    expect(button('editor.save').disabled).toBe(true);
  });

  // spec: 5.2.10
  it('recommends 1, 3 or 7 days and warns against 0', async () => {
    await edit();
    fireEvent.click(screen.getByRole('button', { name: t('editor.minDaysAbout') }));
    expect((await screen.findByRole('dialog', { name: t('editor.minDaysAbout') })).textContent).toBe(t('editor.minDaysTip'));
    expect(t('editor.minDaysTip')).toMatch(/1, 3 or 7\. With 0 the appointment could be tomorrow/);
    const group = within(document.querySelector('[data-part="minDays"]') as HTMLElement);
    fireEvent.click(group.getByText('0'));
    expect(group.getByText('With 0, it could be tomorrow morning. We recommend 1, 3 or 7.')).toBeTruthy();
  });

  // spec: 5.2.24, 5.2.25
  it('shows the problem of a date at its field, and accepts only valid ones', async () => {
    await edit();
    const texts = (field: HTMLInputElement) =>
      document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent ?? null;
    const wrong = (field: HTMLInputElement, value: string) => {
      enter(field, value);
      return [texts(field), button('editor.save').disabled];
    };
    const start = date('editor.start');
    const end = date('editor.end');
    expect(wrong(end, day(20))).toEqual(['End date must be after start date', true]);
    expect(wrong(end, '2027-02-31')).toEqual(['2027-02-31 is not in the calendar', true]);
    expect(wrong(end, day(21 + 3 * 366 + 1))).toEqual(['Your dates may cover three years at most', true]);
    expect(wrong(end, day(127))).toEqual([null, false]);
    expect(wrong(start, day(-1))).toEqual(['The start date is in the past', true]);
    expect(wrong(start, day(22))).toEqual([null, false]);
    fireEvent.click(excluded().getByText(t('editor.range')));
    expect(wrong(date('editor.from'), day(21))[0]).toBe(`Choose ${day(22)} or later`);
    expect(wrong(date('editor.from'), day(50))[0]).toBeNull();
    expect(wrong(date('editor.to'), day(49))[0]).toBe(`Choose ${day(50)} or later`);
    expect(wrong(date('editor.to'), day(128))[0]).toBe(`Choose ${day(127)} or earlier`);
  });

  it('shows the number in use, whatever the user typed', async () => {
    await edit();
    const other = screen.getAllByLabelText(t('editor.otherDays'))[0] as HTMLInputElement;
    for (const [typed, shown, pressed] of [
      ['2.5', '2', null],
      ['abc', '', '0'],
      ['7', '', '7'],
      ['400', '400', null],
    ] as const) {
      enter(other, typed);
      fireEvent.blur(other);
      const chip = document.querySelector('[data-part="minDays"] [aria-pressed="true"]');
      expect([typed, other.value, chip?.textContent ?? null]).toEqual([typed, shown, pressed]);
    }
    const [, improvement] = screen.getAllByLabelText(t('editor.otherDays')) as HTMLInputElement[];
    enter(improvement as HTMLInputElement, '0');
    expect(screen.getByText('Must be between 1 and 365 days')).toBeTruthy();
  });

  it('cuts excluded dates to a shorter window, and reports it', async () => {
    const { calls } = await edit();
    enter(date('editor.start'), day(35));
    press('editor.cutToRange');
    const chips = excluded()
      .getAllByRole('listitem')
      .map((item) => item.textContent?.replaceAll('\u2060', ''));
    expect(chips[0]).toMatch(new RegExp(`^${day(35)} to `));
    expect(chips).toHaveLength(3);
    expect(excluded().getByRole('status').textContent?.replaceAll('\u2060', '')).toMatch(new RegExp(`^Cut to ${day(35)} to `));
    press('editor.save');
    await waitFor(() => expect(calls(UPDATE)).toHaveLength(1));
    const sent = JSON.stringify(calls(UPDATE)[0]?.body);
    for (const one of [day(35), day(40), day(73), day(85)]) expect(sent).toContain(`{"type":"","date":"${one}"}`);
    expect(sent).not.toContain(`{"type":"","date":"${day(34)}"}`);
  });

  it('sets a preset range with one press', async () => {
    await edit();
    const held = document.querySelector('[data-part="window"]') as HTMLElement;
    const chip = (key: 'editor.untilPresent' | 'editor.twoMonths' | 'editor.custom') => within(held).getByText(t(key));
    fireEvent.click(chip('editor.untilPresent'));
    expect([date('editor.start').value, date('editor.end').value]).toEqual([day(1), day(265)]);
    expect(chip('editor.untilPresent').closest('button')?.getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(chip('editor.custom'));
    expect(chip('editor.custom').closest('button')?.getAttribute('aria-pressed')).toBe('true');
    expect(document.activeElement).toBe(date('editor.start'));
  });

  it('accepts weekdays and times, and does not remove the last weekday', async () => {
    const { calls } = await edit();
    const part = within(document.querySelector('[data-part="days"]') as HTMLElement);
    const chip = (name: string) => part.getByRole('button', { name }) as HTMLButtonElement;
    expect(part.getByText('Any day of the week.')).toBeTruthy();
    for (const name of ['Mon', 'Wed', 'Fri', 'Sat', 'Sun', 'Tue']) fireEvent.click(chip(name));
    expect(part.getByText('Only on Thu.')).toBeTruthy();
    expect(chip('Thu').disabled).toBe(true);
    fireEvent.click(chip('Tue'));
    expect(part.getByText('Only on Tue, Thu.')).toBeTruthy();
    const [earliest, latest] = [t('editor.earliestTime'), t('editor.latestTime')].map((name) => part.getByLabelText(name));
    enter(earliest as HTMLInputElement, '09:30');
    enter(latest as HTMLInputElement, '09:00');
    expect(part.getByText('Must not be earlier than the other time')).toBeTruthy();
    expect(button('editor.save').disabled).toBe(true);
    enter(latest as HTMLInputElement, '15:00');
    press('editor.save');
    await waitFor(() => expect(calls(UPDATE)).toHaveLength(1));
    expect(calls(UPDATE)[0]?.body).toMatchObject({
      search_params: { weekdays: [2, 4], earliest_time: '09:30', latest_time: '15:00' },
    });
  });

  it('offers the consent to the last reschedule for the whole window', async () => {
    await edit();
    fireEvent.click(await screen.findByLabelText(new RegExp(t('editor.lastAttempt'))));
    const until = screen.getByLabelText(t('editor.lastAttemptUntil')) as HTMLInputElement;
    expect(until.value).toBe(day(127));
    enter(until, '2027-02-3');
    expect([until.value, button('editor.save').disabled]).toEqual(['2027-02-3', true]);
    enter(until, day(60));
    expect(button('editor.save').disabled).toBe(false);
  });

  // spec: 2.10.02
  it('adds, joins, refuses, removes and clears excluded days', async () => {
    await edit();
    const chips = () =>
      excluded()
        .queryAllByRole('listitem')
        .map((item) => item.textContent?.replaceAll('\u2060', ''));
    expect(chips()).toHaveLength(3);
    press('editor.add');
    expect(excluded().getByText('Please select a date')).toBeTruthy();
    enter(date('editor.day'), day(86));
    press('editor.add');
    expect(chips()[2]).toBe(`${day(85)} to ${day(86)}2 days`);
    enter(date('editor.day'), day(33));
    press('editor.add');
    expect(excluded().getByText('These days are already excluded')).toBeTruthy();
    fireEvent.click(excluded().getByText(t('editor.range')));
    enter(date('editor.from'), day(60));
    enter(date('editor.to'), '');
    press('editor.add');
    expect(excluded().getByText('Please select complete range')).toBeTruthy();
    enter(date('editor.to'), day(58));
    press('editor.add');
    expect(excluded().getByText('End date must be after start date')).toBeTruthy();
    enter(date('editor.to'), day(200));
    press('editor.add');
    expect(excluded().getByText('Excluded dates must be within monitoring range')).toBeTruthy();
    fireEvent.click(excluded().getAllByLabelText(/^Remove/)[0] as HTMLElement);
    expect(chips()).toHaveLength(2);
    press('editor.clearAll');
    expect(chips()).toEqual([]);
  });
});

describe('unsaved edits', () => {
  const asked = () => screen.findByRole('dialog', { name: t('editor.discardTitle') });

  it('are not lost when the user follows a link, without a confirmation', async () => {
    const { router } = await edit();
    await city('Calgary');
    await act(() => router.navigate('/dashboard'));
    await asked();
    press('editor.goOnEditing');
    expect(router.state.location.pathname).toBe(`/schedule/edit/${ID}`);
    await act(() => router.navigate('/dashboard'));
    await asked();
    press('editor.discard');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  });

  it('are not lost by a press outside of the dialog, and need no confirmation if nothing changed', async () => {
    const { world } = stage('lin@example.com');
    const closed = vi.fn();
    renderAt(<EditDialog task={world.tasks.get(ID) as Task} title="Toronto" onClose={closed} />);
    const dialog = await screen.findByRole('dialog', { name: t('editor.title') });
    await screen.findByText(t('editor.which'));
    fireEvent.keyDown(dialog, { key: 'Escape' });
    expect(closed).toHaveBeenCalledTimes(1);
    await city('Calgary');
    fireEvent.keyDown(dialog, { key: 'Escape' });
    await asked();
    expect(closed).toHaveBeenCalledTimes(1);
    press('editor.discard');
    expect(closed).toHaveBeenCalledTimes(2);
  });
});

describe('the edit page', () => {
  // spec: 2.1.12, 2.10.01, 2.10.03
  it.each(['zh', 'en'])('has its title, and Cancel goes back (%s)', async (language) => {
    const { router } = await edit(language);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      language === 'en' ? 'Edit Monitoring Parameters' : '修改监控条件',
    );
    press('editor.cancel');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  });

  // spec: 2.10.03
  it('saves only the cities if nothing else changed, and opens the dashboard', async () => {
    const { calls, router } = await edit();
    await city('Calgary');
    press('editor.save');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(calls(UPDATE)).toEqual([expect.objectContaining({ call: `${UPDATE}/facilities` })]);
    expect(calls(UPDATE)[0]?.body).toEqual({ required_cities: ['Ottawa', 'Toronto', 'Montreal', 'Calgary'], based_on: 1 });
  });

  // spec: 2.10.02, 8.2.21
  it('saves everything else as search parameters, once however often it is pressed', async () => {
    const { calls, router, replies } = await edit();
    let answer: (() => void) | undefined;
    replies.set(
      UPDATE,
      () => new Promise<Answer>((resolve) => (answer = () => resolve(ok({ schedule: queryClient.getQueryData(['task', ID]) })))),
    );
    enter(date('editor.end'), day(100));
    press('editor.save');
    press('editor.save');
    await waitFor(() => expect(calls(UPDATE)).toHaveLength(1));
    press('editor.save');
    answer?.();
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(calls(UPDATE)).toHaveLength(1);
    expect(calls(UPDATE)[0]?.call).toBe(UPDATE);
    expect(calls(UPDATE)[0]?.body).toMatchObject({ search_params: { end_date: day(100) }, booking_mode: 'auto' });
  });

  // spec: 8.2.20, 8.2.28
  it('reports a failed update with its reason, and keeps the typed values', async () => {
    const { replies } = await edit();
    replies.set(UPDATE, () => fail(418, 'NEW_TROUBLE' as Code, 'strange'));
    await city('Calgary');
    press('editor.save');
    expect(await screen.findByText('Failed to update schedule facilities')).toBeTruthy();
    expect(screen.getByText('Save failed')).toBeTruthy();
    replies.set(UPDATE, () => fail(422, 'VALIDATION_FAILED', 'no', { fields: { end_date: 'in_the_past' } }));
    enter(date('editor.end'), day(100));
    press('editor.save');
    expect(await screen.findByText('Update failed')).toBeTruthy();
    expect(screen.getByText('The end date is in the past')).toBeTruthy();
    expect(date('editor.end').value).toBe(day(100));
  });

  // spec: 10.8.12
  it('does not overwrite a change made elsewhere without a confirmation', async () => {
    const { world, calls, router } = await edit();
    /** Simulates a save on another device. */
    const changeThere = (change: Partial<SearchParams>) => {
      const config = (world.tasks.get(ID) as Task).schedule_config;
      config.search_params = { ...config.search_params, ...change };
      config.version += 1;
    };
    const findNotice = () => screen.findByText('These conditions were changed elsewhere in the meantime');
    changeThere({ end_date: day(110) });
    await city('Calgary');
    press('editor.save');
    await findNotice();
    expect(world.tasks.get(ID)?.monitoring_cities).not.toContain('Calgary');
    press('editor.takeTheirs');
    expect(date('editor.end').value).toBe(day(110));
    changeThere({ end_date: day(111) });
    await city('Halifax');
    press('editor.save');
    await findNotice();
    // The criteria change again while the dialog is open. Changes that the user has not seen are
    // not overwritten.
    changeThere({ end_date: day(112) });
    press('editor.keepMine');
    await waitFor(() => expect(calls(UPDATE)).toHaveLength(3));
    expect(world.tasks.get(ID)?.schedule_config.search_params.end_date).toBe(day(112));
    await findNotice();
    press('editor.keepMine');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(calls(UPDATE)[3]?.body).toMatchObject({ search_params: { end_date: day(110) }, based_on: 4 });
  });

  // spec: 10.8.12
  it('needs no confirmation if the change elsewhere has the same result', async () => {
    const { world, calls, router } = await edit();
    const config = (world.tasks.get(ID) as Task).schedule_config;
    config.version += 1;
    await city('Calgary');
    press('editor.save');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(calls(UPDATE).map((one) => (one.body as { based_on: number }).based_on)).toEqual([1, 2]);
    expect(world.tasks.get(ID)?.monitoring_cities).toContain('Calgary');
  });

  it('reports that the task was deleted while the user edited it', async () => {
    const { world } = await edit();
    world.tasks.delete(ID);
    await city('Calgary');
    press('editor.save');
    expect(await screen.findByText('This task no longer exists.')).toBeTruthy();
  });

  // spec: 8.2.19, 8.2.20
  it('reports that the details could not be loaded, and retries', async () => {
    const { replies } = stage('lin@example.com');
    replies.set(STATUS, () => fail(503, 'UNAVAILABLE', 'busy'));
    renderRoutes({ '/schedule/edit/:id': EditPage }, [`/schedule/edit/${ID}`]);
    expect(await screen.findByText('Load failed')).toBeTruthy();
    expect(screen.getByText(/^Failed to load schedule details/)).toBeTruthy();
    replies.clear();
    press('problem.retry');
    expect(await screen.findByText(t('editor.which'))).toBeTruthy();
  });
});

import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeBackend, renderAt } from '../../../../mock/kit.tsx';
import { askingTask, city } from '../../../../mock/story.ts';
import { queryClient } from '../../../shared/api/queries.ts';
import { acceptLogin, endSession } from '../../../shared/api/session.ts';
import type { LoginAnswer, Task } from '../../../shared/api/types.ts';
import { usePageTitle } from '../../../shared/hooks/usePageTitle.ts';
import { i18nReady } from '../../../shared/i18n/i18n.ts';
import type { TextKey } from '../../../shared/i18n/textKey.ts';
import { Dialog } from '../../../shared/ui/Dialog.tsx';
import { toastManager } from '../../../shared/ui/toastManager.ts';
import { approvals } from '../pendingApproval.ts';
import { TaskCard } from '../TaskCard.tsx';
import { aside } from './putAside.ts';
import { QuestionWatch } from './QuestionWatch.tsx';

const t = (key: TextKey, values: Record<string, unknown> = {}) => i18next.t(key, values) as string;
const plain = (text: string | null | undefined) => (text ?? '').replaceAll('\u2060', '').replaceAll('\u00a0', ' ');
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Time after opening in which the dialog ignores presses. */
const DEAF_MS = 700;

/** Page with a field and a dialog of its own. */
function Page() {
  const [open, setOpen] = useState(false);
  usePageTitle('A page');
  return (
    <>
      <input aria-label="typed" />
      <button type="button" onClick={() => setOpen(true)}>
        open
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Own dialog">
        own
      </Dialog>
      <QuestionWatch />
    </>
  );
}

/** Opens a page of a user with these tasks. */
function open(...tasks: Task[]) {
  const backend = fakeBackend('empty@example.com');
  for (const one of tasks) backend.world.tasks.set(one.id, structuredClone(one));
  const view = renderAt(<Page />, '/settings');
  const answers = () => backend.sent.filter((call) => call.endsWith('/answer'));
  return { ...backend, ...view, answers };
}

/** Waits for the dialog of a question. */
const question = async () => {
  const found = await screen.findByRole('dialog', { name: t('ask.title') });
  return { ...within(found), found, text: () => plain(found.textContent) };
};

/** Waits for the dialog of a question, until it reacts to presses. */
const ready = async () => {
  const found = await question();
  await pass(DEAF_MS);
  return found;
};
const answerable = (key: TextKey) => screen.getByRole('button', { name: t(key) });
const none = () => expect(document.querySelector('[data-dialog]')).toBeNull();

const first = () => askingTask({ id: 'first', attempts_left: 2 }, 110, '2027-02-09');
const second = () => askingTask({ id: 'second' }, 170, '2027-03-01');

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-29T15:00:00Z') });
  for (const store of [aside, approvals]) store.set({});
  sessionStorage.clear();
  localStorage.clear();
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  toastManager.close();
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a question', () => {
  // spec: 10.1.20
  it('takes the screen of any page, with applicants, date, city, days gained, and the terms', async () => {
    const task = first();
    const fingerprints = { date: '2027-02-05', time: '07:30', city: 'Bogota', city_zh: '波哥大' };
    task.appointments = [{ ...task.appointments[0], appointment_date: '2027-03-11', fingerprints } as Task['appointments'][0]];
    open(task);
    const { text } = await question();
    expect(text()).toContain('For Lin Zhixia, Chen Yuhang');
    expect(text()).toContain('2027-02-09 Tue');
    expect(text()).toContain('30 days sooner');
    expect(text()).toContain('Instead of 2027-03-11 (Thu) 8:15 AM · Toronto');
    expect(text()).toContain('now 2027-02-05 (Fri) 7:30 AM · Bogota');
    expect(text()).toContain('76.00 CAD of what is on hold is charged');
    expect(text()).toContain('allows 2 more reschedules');
    expect(text()).toContain('1:50');
    expect(text()).toContain('until 10:01 AM ET');
  });

  // spec: 10.1.20
  it('masks the applicants and the price if they are hidden', async () => {
    localStorage.setItem('sooner.hidden', '["first"]');
    open(first());
    const { text } = await question();
    expect(text()).toContain('For L***, C***');
    expect(text()).not.toContain('76.00');
  });

  // spec: 10.1.20
  it('is answered only by its buttons: not by a key that was meant for the page, nor at once', async () => {
    const { answers } = open(first());
    const { found } = await question();
    expect(found.contains(document.activeElement)).toBe(true);
    expect(document.activeElement?.tagName, 'the focus is on the text').toBe('DIV');
    fireEvent.keyDown(document.activeElement as Element, { key: 'Enter' });
    fireEvent.click(answerable('ask.yes'));
    fireEvent.click(answerable('ask.no'));
    await pass(100);
    expect(answers()).toEqual([]);
    expect(screen.getByRole('dialog', { name: t('ask.title') })).toBe(found);
  });

  it('is approved for the shown date, and shows the booking', async () => {
    const { bodies, answers } = open(first());
    await ready();
    fireEvent.click(answerable('ask.yes'));
    expect(await screen.findByText(t('ask.trying'))).toBeTruthy();
    expect(answers()).toEqual(['POST /schedules/first/answer']);
    expect(bodies.get('POST /schedules/first/answer')).toEqual({ facility: 'Toronto', date: '2027-02-09' });
    expect(screen.queryByRole('button', { name: t('ask.yes') })).toBeNull();
    await pass(3_500);
    await act(() => queryClient.invalidateQueries());
    expect(await screen.findByText(t('ask.booked'))).toBeTruthy();
    fireEvent.click(answerable('ask.close'));
    await waitFor(none);
  });

  it('reports an approval that failed, keeps its buttons, and names a late answer', async () => {
    const { broken, world } = open(first());
    await ready();
    broken.add('POST /schedules/first/answer');
    fireEvent.click(answerable('ask.yes'));
    expect(await screen.findByText(t('problem.network'))).toBeTruthy();
    broken.clear();
    const late = world.tasks.get('first') as Task;
    if (late.engine.verdict.evidence) late.engine.verdict.evidence.asked = null;
    if (late.latest_question) Object.assign(late.latest_question, { state: 'late', listed_at: null });
    fireEvent.click(answerable('ask.yes'));
    expect((await screen.findByText(new RegExp(t('ask.late')))).textContent).toContain('the date was not listed any more');
  });

  it('is declined, after which the listed date can still be booked', async () => {
    const { answers, bodies } = open(first());
    await ready();
    fireEvent.click(answerable('ask.no'));
    await waitFor(none);
    expect(await screen.findByText(t('condition.declined'))).toBeTruthy();
    expect(bodies.get('POST /schedules/first/answer')).toEqual({ facility: 'Toronto', date: '2027-02-09', answer: 'no' });
    await pass(2_000);
    none();
    fireEvent.click(answerable('condition.bookAfterAll'));
    expect(await screen.findByText(t('condition.yesCounts'))).toBeTruthy();
    expect(answers()).toHaveLength(2);
    expect(bodies.get('POST /schedules/first/answer')).toEqual({ facility: 'Toronto', date: '2027-02-09', late: true });
  });

  it('reports a no that did not arrive, and one that came too late', async () => {
    const { broken, world } = open(first());
    await ready();
    broken.add('POST /schedules/first/answer');
    fireEvent.click(answerable('ask.no'));
    expect(await screen.findByText(t('problem.network'))).toBeTruthy();
    broken.clear();
    cleanup();
    aside.set({});
    const { evidence } = (world.tasks.get('first') as Task).engine.verdict;
    renderAt(<Page />, '/settings');
    await ready();
    if (evidence) evidence.asked = null;
    fireEvent.click(answerable('ask.no'));
    expect(await screen.findByText(t('condition.noTooLate'))).toBeTruthy();
  });

  // spec: 10.1.20
  it('is put aside by Escape and does not return, even after a reload; the focus and the typed text do', async () => {
    const one = first();
    const user = { id: 'u1', username: 'lin', email: 'lin@example.com' };
    acceptLogin({ access_token: 'a', refresh_token: 'r', user } as LoginAnswer, true);
    const backend = fakeBackend('empty@example.com');
    renderAt(<Page />, '/settings');
    const field = screen.getByLabelText<HTMLInputElement>('typed');
    field.focus();
    fireEvent.change(field, { target: { value: 'half a sentence' } });
    backend.world.tasks.set(one.id, one);
    await act(() => queryClient.invalidateQueries());
    await ready();
    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
    await waitFor(none);
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(field.value).toBe('half a sentence');
    // The provider accepts the message later, and the deadline changes.
    const { evidence } = (backend.world.tasks.get('first') as Task).engine.verdict;
    if (evidence?.asked) evidence.asked.until = new Date(Date.parse(evidence.asked.until) - 20_000).toISOString();
    await act(() => queryClient.invalidateQueries());
    await pass(2_000);
    none();
    expect(JSON.parse(sessionStorage.getItem('sooner.questionsAside') ?? '{}')).toHaveProperty('first.date', '2027-02-09');
    endSession();
    expect(sessionStorage.getItem('sooner.questionsAside')).toBeNull();
  });

  // spec: 10.1.20
  it('waits for the one that ends first, and for a dialog that is already open', async () => {
    const { world } = open();
    fireEvent.click(screen.getByText('open'));
    await screen.findByRole('dialog', { name: 'Own dialog' });
    world.tasks.set('second', second());
    world.tasks.set('first', first());
    await act(() => queryClient.invalidateQueries());
    await pass(2_000);
    expect(document.querySelectorAll('[data-dialog]')).toHaveLength(1);
    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
    const shown = await ready();
    expect(shown.text()).toContain('2027-02-09');
    expect(shown.text()).toContain(t('ask.others', { count: 1 }));
    fireEvent.click(answerable('ask.later'));
    await waitFor(async () => expect((await question()).text()).toContain('2027-03-01'));
  });

  it('makes room for the next one once it is approved', async () => {
    open(first(), second());
    await ready();
    fireEvent.click(answerable('ask.yes'));
    await waitFor(async () => expect((await question()).text()).toContain('2027-03-01'));
  });

  it('gives way to another date of its task that the server asks about instead', async () => {
    const { world } = open(first());
    await ready();
    world.tasks.set('first', askingTask({ id: 'first' }, 120, '2027-01-06'));
    await act(() => queryClient.invalidateQueries());
    await waitFor(async () => expect((await question()).text()).toContain('2027-01-06'));
    expect(aside.get()).toEqual({});
  });

  it('counts down in the title of the tab, also when put aside, until it is over', async () => {
    const { unmount } = open(first());
    await ready();
    await pass(1_000);
    expect(document.title).toMatch(/^1:4\d Toronto 2027-02-09\? · A page · /);
    fireEvent.click(answerable('ask.later'));
    await pass(20_000);
    expect(document.title).toMatch(/^1:[12]\d Toronto/);
    await pass(100_000);
    expect(document.title).toMatch(/^A page · /);
    unmount();
  });

  it('is announced at the start, at 60 s and at 10 s', async () => {
    open(first());
    const { found } = await question();
    const announced = () => plain(found.querySelector('[role="alert"]')?.textContent);
    await waitFor(() => expect(announced()).toMatch(/^1(10|09) seconds left to answer: 2027-02-09, Toronto\.$/));
    const start = announced();
    await pass(40_000);
    expect(announced()).toBe(start);
    await pass(10_000);
    expect(announced()).toMatch(/^(60|59) seconds/);
    await pass(50_000);
    expect(announced()).toMatch(/^(10|9) seconds/);
  });

  it('is called late by its last deadline, which moves when the message is delivered', async () => {
    const { world } = open(first());
    await ready();
    const { evidence } = (world.tasks.get('first') as Task).engine.verdict;
    if (!evidence?.asked) throw new Error('no question');
    evidence.asked.until = new Date(Date.parse(evidence.asked.until) - 50_000).toISOString();
    await act(() => queryClient.invalidateQueries());
    await pass(60_000);
    evidence.asked = null;
    await act(() => queryClient.invalidateQueries());
    expect(await screen.findByText(new RegExp(t('ask.late')))).toBeTruthy();
  });

  it('that disappears before its end is not called late', async () => {
    const { world } = open(first());
    await ready();
    const { evidence } = (world.tasks.get('first') as Task).engine.verdict;
    if (evidence) evidence.asked = null;
    await act(() => queryClient.invalidateQueries());
    expect(await screen.findByText(t('ask.withdrawn'))).toBeTruthy();
  });
});

describe('an unanswered question', () => {
  /** Lets a question end, and renders the card of its task. */
  async function lapse(listedAt: string | null, cityListedAt: string | null) {
    const one = first();
    one.engine.cities = [city('Toronto', { listed_at: cityListedAt, last_answer_at: cityListedAt })];
    const backend = open(one);
    await ready();
    const stored = backend.world.tasks.get('first') as Task;
    if (stored.latest_question) Object.assign(stored.latest_question, { state: 'late', listed_at: listedAt });
    if (stored.engine.verdict.evidence) stored.engine.verdict.evidence.asked = null;
    await pass(112_000);
    expect(await screen.findByText(new RegExp(t('ask.late')))).toBeTruthy();
    expect(backend.sent).toContain('GET /schedules/first/status');
    cleanup();
    renderAt(<TaskCard task={stored} alone onDelete={vi.fn()} />);
    const card = within(await screen.findByRole('article'));
    expect(plain(document.body.textContent)).toContain('No answer about 2027-02-09 in Toronto, so it was not booked');
    return { ...backend, card };
  }

  // spec: 10.1.21
  it.each([
    [
      '2026-11-29T15:05:00Z',
      '2026-11-29T15:05:00Z',
      /ended at .*10:01 AM ET\. At the last check, .*10:05 AM ET, it was still listed/,
    ],
    [null, '2026-11-29T15:05:00Z', /ended at .*10:01 AM ET\. At the last check, .*10:05 AM ET, it was not listed any more/],
    [null, null, /ended at .*10:01 AM ET\. Its city has not been checked since/],
  ])('is named on the card, with the last list of its city (listed %s)', async (listed, at, detail) => {
    const { card } = await lapse(listed, at);
    await waitFor(() => expect(plain(card.getByText(/The time to answer ended/).textContent)).toMatch(detail));
    expect(card.queryAllByText(t('condition.bookNow'))).toHaveLength(listed ? 1 : 0);
  });

  // spec: 10.1.16
  it('can be approved while its date is listed', async () => {
    const { card, bodies } = await lapse('2026-11-29T15:05:00Z', '2026-11-29T15:05:00Z');
    fireEvent.click(await card.findByText(t('condition.bookNow')));
    expect(await screen.findByText(t('condition.yesCounts'))).toBeTruthy();
    expect(bodies.get('POST /schedules/first/answer')).toEqual({ facility: 'Toronto', date: '2027-02-09', late: true });
  });
});

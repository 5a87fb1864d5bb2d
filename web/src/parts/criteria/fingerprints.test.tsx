import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, ok } from '../../../mock/api.ts';
import { opened } from '../../../mock/countries.ts';
import { appointment, day } from '../../../mock/story.ts';
import { button, press, renderRoutes, STORY_MS, signIn, stage, t, tile, VERIFY } from '../../../mock/wizardKit.tsx';
import { EditPage } from '../../features/task/EditPage.tsx';
import { forgetWizard } from '../../features/wizard/wizardDraft.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { endSession } from '../../shared/api/session.ts';
import type { FingerprintParams, Fingerprints, Task } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';

vi.setConfig({ testTimeout: STORY_MS });

beforeEach(async () => {
  Element.prototype.scrollIntoView = vi.fn();
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  cleanup();
  endSession();
  forgetWizard();
});

const ID = '0193-on';
const held: Fingerprints = { date: day(290), time: '07:30', city: 'Guadalajara', city_zh: '瓜达拉哈拉' };

interface Edited {
  countryCode?: string;
  city?: string;
  rule?: FingerprintParams | null;
  fingerprints?: Fingerprints | null;
  /** Cities that give fingerprint appointments, by default all of Mexico. */
  places?: string[];
}

/** Opens the edit page of a task, in Mexico unless another country is given. */
async function edit({ countryCode = 'en-mx', city = 'Guadalajara', rule = null, fingerprints = null, places }: Edited = {}) {
  const set = stage('lin@example.com');
  const countries = opened('en-mx').countries.map((country) => ({
    ...country,
    facilities: country.facilities.map((one) => ({
      ...one,
      fingerprints: places ? places.includes(one.nameEn) : one.fingerprints,
    })),
  }));
  set.replies.set('GET /facilities', () => ok({ countries }));
  const task = set.world.tasks.get(ID) as Task;
  task.country_code = countryCode;
  for (const one of task.appointments) Object.assign(one, { facility: city, fingerprints });
  Object.assign(task.schedule_config.search_params, { required_cities: [city], fingerprints: rule });
  renderRoutes({ '/schedule/edit/:id': EditPage, '/dashboard': () => <p>dashboard</p> }, ['/dashboard', `/schedule/edit/${ID}`]);
  await screen.findByText(t('editor.which'));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  return set;
}

const part = () => document.querySelector<HTMLElement>('[data-part="fingerprints"]');
const section = async () =>
  within(
    await waitFor(() => {
      const found = part();
      if (!found) throw new Error('no section');
      return found;
    }),
  );
const field = (key: 'fingerprints.least' | 'fingerprints.most') =>
  within(part() as HTMLElement).getByLabelText(t(key)) as HTMLInputElement;
const enter = (key: 'fingerprints.least' | 'fingerprints.most', value: string) =>
  fireEvent.change(field(key), { target: { value } });
const noteOf = (input: HTMLInputElement) =>
  document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent ?? null;
const tiles = () => [...(part()?.querySelectorAll('button[aria-pressed]') ?? [])].map((one) => one.textContent);
const problems = () =>
  within(screen.getByText(t('editor.fixFirst')).parentElement as HTMLElement)
    .getAllByRole('listitem')
    .map((item) => item.textContent);

describe('the fingerprint appointment in the editor', () => {
  it('is offered by days and cities, explained, and saved in the order of choice', async () => {
    const { calls } = await edit();
    const mexico = await section();
    expect(mexico.getByRole('heading', { name: 'Fingerprint appointment' })).toBeTruthy();
    expect(mexico.getByRole('group', { name: 'Days before the interview' }).getAttribute('aria-describedby')).toBeTruthy();
    expect(part()?.textContent).toContain('The official site decides which days are possible.');
    expect(part()?.textContent).toContain('can be before your start date');
    expect(tiles()).toEqual(['Ciudad Juarez', 'Guadalajara', 'Mexico City']);
    expect(part()?.textContent).toContain(t('fingerprints.noCity'));
    enter('fingerprints.least', '1');
    enter('fingerprints.most', '10');
    fireEvent.click(mexico.getByText('Mexico City'));
    fireEvent.click(mexico.getByText('Guadalajara'));
    expect(tiles()).toEqual(['Ciudad Juarez', 'Guadalajara2', 'Mexico City1']);
    expect(part()?.textContent).toContain(t('fingerprints.someCities'));
    fireEvent.click(mexico.getByText(t('editor.changeOrder')));
    fireEvent.click(mexico.getByRole('button', { name: t('editor.cityUp', { city: 'Guadalajara' }) }));
    press('editor.save');
    await screen.findByText('dashboard');
    expect(calls('PUT')[0]?.body.search_params).toMatchObject({
      fingerprints: { min_days_before: 1, max_days_before: 10, cities: ['Guadalajara', 'Mexico City'] },
    });
  });

  it('is named and explained in Chinese', async () => {
    await i18next.changeLanguage('zh');
    await edit({ rule: { min_days_before: 2, max_days_before: null, cities: ['Guadalajara'] } });
    const mexico = await section();
    expect(mexico.getByRole('heading', { name: '指纹采集预约' })).toBeTruthy();
    expect(mexico.getByLabelText('至少')).toBe(field('fingerprints.least'));
    expect(tiles()).toEqual(['华雷斯城', '瓜达拉哈拉1', '墨西哥城']);
    enter('fingerprints.most', '1');
    expect(noteOf(field('fingerprints.most'))).toBe('不能少于另一个天数');
    enter('fingerprints.most', '');
    const summary = () => document.querySelector('summary')?.textContent;
    await waitFor(() => expect(summary()).toMatch(/指纹采集预约：比面签至少早 2 天，在瓜达拉哈拉。$/));
    fireEvent.click(mexico.getByText('墨西哥城'));
    await waitFor(() => expect(summary()).toMatch(/比面签至少早 2 天，在瓜达拉哈拉、墨西哥城（瓜达拉哈拉优先）。$/));
  });

  it('is null again without any condition', async () => {
    const { calls } = await edit({ rule: { min_days_before: 3, max_days_before: null, cities: ['Mexico City'] } });
    const mexico = await section();
    enter('fingerprints.least', '');
    fireEvent.click(mexico.getByText('Mexico City'));
    press('editor.save');
    await screen.findByText('dashboard');
    expect(calls('PUT')[0]?.body.search_params).toMatchObject({ fingerprints: null });
  });

  it.each([
    ['0', '', 'fingerprints.least', 'Must be between 1 and 60 days', 'The days before the interview must be between 1 and 60'],
    ['', '61', 'fingerprints.most', 'Must be between 1 and 60 days', 'The days before the interview must be between 1 and 60'],
    ['x', '', 'fingerprints.least', 'Must be between 1 and 60 days', 'The days before the interview must be between 1 and 60'],
    [
      '9',
      '8',
      'fingerprints.most',
      'Must not be less than the other number',
      'The most days before the interview must not be fewer than the least',
    ],
  ] as const)('rejects the days %j to %j at the field and in the list', async (least, most, key, note, listed) => {
    await edit();
    await section();
    enter('fingerprints.least', least);
    enter('fingerprints.most', most);
    expect(field(key).getAttribute('aria-invalid')).toBe('true');
    expect(noteOf(field(key))).toBe(note);
    expect(problems()).toEqual([listed]);
    expect(button('editor.save').disabled).toBe(true);
    enter(key, '9');
    expect(button('editor.save').disabled).toBe(false);
  });

  it('accepts three cities and rejects a fourth', async () => {
    const cities = ['Ciudad Juarez', 'Guadalajara', 'Tijuana'];
    await edit({ rule: { min_days_before: null, max_days_before: null, cities } });
    const mexico = await section();
    fireEvent.click(mexico.getByText('Mexico City'));
    expect(problems()).toEqual(['Choose up to three cities for the fingerprints from the list']);
    expect(button('editor.save').disabled).toBe(true);
    fireEvent.click(mexico.getAllByText('Tijuana')[0] as HTMLElement);
    expect(button('editor.save').disabled).toBe(false);
  });

  it('shows the number in use after the field is left', async () => {
    await edit();
    await section();
    const user = userEvent.setup();
    await user.click(field('fingerprints.least'));
    await user.keyboard('2.5');
    await user.tab();
    expect(field('fingerprints.least').value).toBe('2');
    expect(document.activeElement).toBe(field('fingerprints.most'));
  });

  it.each([
    ['out_of_range', 'The days before the interview must be between 1 and 60'],
    ['end_before_start', 'The most days before the interview must not be fewer than the least'],
    ['unknown_city', 'Choose up to three cities for the fingerprints from the list'],
    ['too_many', 'Choose up to three cities for the fingerprints from the list'],
  ])('shows what the server rejects: %s', async (code, text) => {
    const { replies } = await edit();
    await section();
    replies.set('PUT', () => fail(422, 'VALIDATION_FAILED', 'no', { fields: { fingerprints: code } }));
    enter('fingerprints.least', '1');
    press('editor.save');
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('offers no cities if there is one, but shows saved ones so that they can be removed', async () => {
    await edit({ places: ['Guadalajara'] });
    await section();
    expect(tiles()).toEqual([]);
    cleanup();
    queryClient.clear();
    await edit({ places: ['Guadalajara'], rule: { min_days_before: null, max_days_before: null, cities: ['Tijuana'] } });
    await section();
    expect(tiles()).toEqual(['Guadalajara', `Tijuana1${t('editor.cityUnknown')}`]);
  });

  it('says that a task which only notifies looks for none', async () => {
    await edit();
    await section();
    fireEvent.click(screen.getByText(t('editor.notify')));
    expect(part()?.textContent).toContain(t('fingerprints.notify'));
  });

  it('is not offered in Canada, unless the task has one or the condition is saved', async () => {
    const canada = { countryCode: 'en-ca', city: 'Toronto' };
    await edit(canada);
    await tile('Toronto');
    expect(part()).toBeNull();
    cleanup();
    queryClient.clear();
    await edit({ ...canada, fingerprints: held });
    await section();
    expect(tiles()).toEqual([]);
    cleanup();
    queryClient.clear();
    await edit({ ...canada, rule: { min_days_before: 1, max_days_before: null, cities: [] } });
    await section();
    expect(field('fingerprints.least').value).toBe('1');
  });
});

describe('the fingerprint appointment in the wizard', () => {
  /** Signs in to an account in Mexico with an appointment in `city`. */
  async function configure(countryCode = 'en-mx', city = 'Guadalajara') {
    const wizard = stage();
    wizard.replies.set('GET /facilities', () => ok(opened('en-mx')));
    const row = {
      ...appointment({ schedule_id: '81', appointment_date: day(300), facility: city, country_code: countryCode }),
      selectable: true,
      reason: null,
    };
    const schedules = [{ id: 'draft-81', status: 'draft', portal_schedule_id: '81', appointments: [row] }];
    wizard.replies.set(VERIFY, () => ok({ schedules, left_out: [], verified_at: new Date().toISOString() }));
    wizard.replies.set('POST /schedules/configure', () => ok({}));
    wizard.open();
    await screen.findByText(t('portal.title'));
    if (countryCode !== 'en-ca') {
      const country = () => screen.getByLabelText(t('portal.country'), { selector: 'button' });
      await waitFor(() => expect(country().textContent).toBe('Canada'));
      fireEvent.click(country());
      fireEvent.click(await screen.findByRole('option', { name: 'Mexico' }));
    }
    await signIn();
    // The city of the present appointment is already chosen.
    await waitFor(async () => expect((await tile(city)).getAttribute('aria-pressed')).toBe('true'));
    return wizard;
  }
  const page = () => (document.body.textContent ?? '').replaceAll('\u2060', '');

  it('is sent with the criteria, and named in both summaries', async () => {
    const { calls } = await configure();
    const mexico = await section();
    enter('fingerprints.least', '61');
    press('wizard.next');
    expect(await screen.findByText('The days before the interview must be between 1 and 60', { selector: 'li' })).toBeTruthy();
    expect(document.activeElement).toBe(field('fingerprints.least'));
    enter('fingerprints.least', '2');
    enter('fingerprints.most', '2');
    fireEvent.click(mexico.getByText('Mexico City'));
    await waitFor(() => expect(page()).toContain('Fingerprint appointment: 2 days before the interview, in Mexico City.'));
    fireEvent.click(mexico.getByText('Guadalajara'));
    const both = 'in Mexico City or Guadalajara (Mexico City first)';
    await waitFor(() => expect(page()).toContain(`Fingerprint appointment: 2 days before the interview, ${both}.`));
    press('wizard.next');
    await screen.findByText(t('confirm.criteria'));
    expect(calls('POST /schedules/configure')[0]?.body.search_params).toMatchObject({
      fingerprints: { min_days_before: 2, max_days_before: 2, cities: ['Mexico City', 'Guadalajara'] },
    });
    const term = screen.getByText('Fingerprints', { selector: 'dt' });
    await waitFor(() => expect(term.nextElementSibling?.textContent).toBe(`2 days before the interview, ${both}`));
  });

  it('is not carried over to another country', async () => {
    await configure();
    await section();
    enter('fingerprints.least', '2');
    const stored = () => JSON.parse(sessionStorage.getItem('sooner.wizard') ?? '{}').form.fingerprints;
    expect(stored()).toEqual({ min_days_before: 2, max_days_before: null, cities: [] });
    press('wizard.previous');
    await screen.findByText(t('portal.title'));
    fireEvent.click(screen.getByLabelText(t('portal.country'), { selector: 'button' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Canada' }));
    await waitFor(() => expect(stored()).toBeNull());
  });

  it('is not offered for Canada, and no condition is sent', async () => {
    const { calls } = await configure('en-ca', 'Toronto');
    expect(part()).toBeNull();
    press('wizard.next');
    await screen.findByText(t('confirm.criteria'));
    expect(calls('POST /schedules/configure')[0]?.body.search_params).toMatchObject({ fingerprints: null });
    expect(screen.queryByText('Fingerprints', { selector: 'dt' })).toBeNull();
  });
});

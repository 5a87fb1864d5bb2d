import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, fail, ok } from '../../../mock/api.ts';
import { opened } from '../../../mock/countries.ts';
import { boxes, button, press, renderRoutes, STORY_MS, signIn, stage, t, tile } from '../../../mock/wizardKit.tsx';
import { EditPage } from '../../features/task/EditPage.tsx';
import { forgetWizard } from '../../features/wizard/wizardDraft.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { endSession } from '../../shared/api/session.ts';
import type { Task } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';

vi.setConfig({ testTimeout: STORY_MS });

beforeEach(async () => {
  await i18nReady;
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  cleanup();
  endSession();
  forgetWizard();
});

const ID = '0193-on';
const section = () => document.querySelector('[data-part="cities"]') as HTMLElement;

/** Returns the texts of the tiles. A chosen one has its number after the name. */
const tiles = () => [...section().querySelectorAll('button[aria-pressed]')].map((one) => one.textContent);

/** Opens the edit page of a task in Ireland. */
async function edit(language: string, cities: string[], facilities?: () => Promise<Answer> | Answer) {
  await i18next.changeLanguage(language);
  const set = stage('lin@example.com');
  if (facilities) set.replies.set('GET /facilities', facilities);
  const task = set.world.tasks.get(ID) as Task;
  task.country_code = 'en-ie';
  task.schedule_config.search_params.required_cities = cities;
  renderRoutes({ '/schedule/edit/:id': EditPage, '/dashboard': () => <p>dashboard</p> }, ['/dashboard', `/schedule/edit/${ID}`]);
  await screen.findByText(t('editor.which'));
  return set;
}

describe('a country with one city', () => {
  it.each([
    ['en', 'Dublin (the only city with visa interviews in this country)'],
    ['zh', '都柏林（该国唯一办理面签的城市）'],
  ])('shows the saved city as a line in %s, and saves it', async (language, line) => {
    const { calls } = await edit(language, ['Dublin']);
    expect(await screen.findByText(line)).toBeTruthy();
    expect(section().querySelector('button')).toBeNull();
    press('editor.save');
    await screen.findByText('dashboard');
    expect(calls('PUT')[0]?.body.search_params).toMatchObject({ required_cities: ['Dublin'] });
  });

  it('offers its city if the saved one is not in the list, which can be removed', async () => {
    const { calls } = await edit('en', ['Cork']);
    await waitFor(() => expect(tiles()).toEqual(['Dublin', `Cork1${t('editor.cityUnknown')}`]));
    fireEvent.click(await tile('Cork'));
    expect(await screen.findByText('Dublin (the only city with visa interviews in this country)')).toBeTruthy();
    press('editor.save');
    await screen.findByText('dashboard');
    expect(calls('PUT')[0]?.body).toMatchObject({ required_cities: ['Dublin'] });
  });

  it('is configured in the wizard without a choice of cities', async () => {
    await i18next.changeLanguage('en');
    const { open, replies, calls } = stage();
    const [canada, ...others] = opened().countries;
    const countries = [{ ...(canada as (typeof others)[0]), facilities: canada?.facilities.slice(5, 6) ?? [] }, ...others];
    replies.set('GET /facilities', () => ok({ countries }));
    open();
    await signIn();
    expect(await screen.findByText('Toronto (the only city with visa interviews in this country)')).toBeTruthy();
    boxes()[0]?.click();
    await waitFor(() => expect(button('wizard.next').disabled).toBe(false));
    press('wizard.next');
    await waitFor(() => expect(calls('POST /schedules/configure')).toHaveLength(1));
    expect(calls('POST /schedules/configure')[0]?.body.search_params).toMatchObject({ required_cities: ['Toronto'] });
  });
});

describe('the list of cities', () => {
  it('can be loaded again after a failure, and until then saved cities can be removed and restored', async () => {
    const { replies } = await edit('en', ['Dublin'], () => fail(503, 'UNAVAILABLE', 'busy'));
    expect(await screen.findByText(t('editor.citiesFailed'))).toBeTruthy();
    expect(tiles()).toEqual(['Dublin1']);
    fireEvent.click(await tile('Dublin'));
    expect(tiles()).toEqual(['Dublin']);
    fireEvent.click(await tile('Dublin'));
    expect(tiles()).toEqual(['Dublin1']);

    replies.set('GET /facilities', () => ok(opened('en-ie', 'en-gb')));
    press('problem.retry');
    expect(await screen.findByText('Dublin (the only city with visa interviews in this country)')).toBeTruthy();
  });

  it('focuses the first city once a retry has loaded them', async () => {
    const { replies } = await edit('en', ['Cork'], () => fail(503, 'UNAVAILABLE', 'busy'));
    expect(await screen.findByText(t('editor.citiesFailed'))).toBeTruthy();
    replies.set('GET /facilities', () => ok(opened('en-ie')));
    press('problem.retry');
    const dublin = await tile('Dublin');
    await waitFor(() => expect(document.activeElement).toBe(dublin));
  });

  it('explains a slow request', async () => {
    let arrive: (answer: Answer) => void = () => undefined;
    await edit('en', ['Cork'], () => new Promise<Answer>((resolve) => (arrive = resolve)));
    expect(screen.getByText(t('editor.citiesLoading'))).toBeTruthy();
    expect(await screen.findByText(t('editor.citiesSlow'))).toBeTruthy();
    arrive(ok(opened('en-ie')));
    expect(await tile('Dublin')).toBeTruthy();
    expect(screen.queryByText(t('editor.citiesSlow'))).toBeNull();
  });

  it('shows the saved cities of a country that the list lacks', async () => {
    const { countries } = opened();
    await edit('en', ['Dublin', 'Cork'], () => ok({ countries: countries.filter(({ code }) => code !== 'en-ie') }));
    await waitFor(() => expect(tiles()).toHaveLength(2));
    fireEvent.click(await tile('Cork'));
    expect(tiles()[1]).toBe(`Cork${t('editor.cityUnknown')}`);
  });
});

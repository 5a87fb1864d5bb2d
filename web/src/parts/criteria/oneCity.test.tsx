import { cleanup, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../../mock/api.ts';
import { opened } from '../../../mock/countries.ts';
import { boxes, button, press, renderRoutes, STORY_MS, signIn, stage, t } from '../../../mock/wizardKit.tsx';
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

/** Opens the edit page of a task in Ireland. */
async function edit(language: string, cities: string[]) {
  await i18next.changeLanguage(language);
  const set = stage('lin@example.com');
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

  it('offers its city if the saved one is not in the list', async () => {
    await edit('en', ['Cork']);
    await waitFor(() => expect(section().querySelector('button')?.textContent).toBe('Dublin'));
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

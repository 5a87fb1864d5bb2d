import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Frame } from '../../../mock/Frame.tsx';
import { groups } from '../../../mock/story.ts';
import { answerCalls, answerFrom } from '../../../mock/wire.ts';
import { createWorld, seed } from '../../../mock/world.ts';
import { defaultForm } from '../../parts/criteria/searchForm.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { civilToday } from '../../shared/format/dates.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { ReminderBanner } from '../dashboard/ReminderBanner.tsx';
import { PlainSummary } from '../wizard/PlainSummary.tsx';
import { EditPage } from './EditPage.tsx';

function show(element: ReactNode, path = '/', world = createWorld()) {
  answerCalls((call) => answerFrom(world, call));
  const router = createMemoryRouter(
    [
      { path: '/schedule/edit/:id', Component: EditPage },
      { path: '*', element },
    ],
    { initialEntries: [path] },
  );
  return render(
    <Frame>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Frame>,
  );
}

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

// spec: 2.1.12
it.each(['zh', 'en'])('reports a missing task, with a way back (%s)', async (language) => {
  await i18next.changeLanguage(language);
  show(null, '/schedule/edit/nope');
  expect(await screen.findByText(i18next.t('editor.notFound'))).toBeTruthy();
  expect(screen.getByRole('link', { name: i18next.t('wizard.toDashboard') }).getAttribute('href')).toBe('/dashboard');
});

// spec: 2.7.02
it('hides the reminder once there is a balance', async () => {
  const world = createWorld();
  seed(world, 'empty@example.com');
  world.credit = 0;
  show(<ReminderBanner />, '/', world);
  expect(await screen.findByText(i18next.t('reminder.title'))).toBeTruthy();
  world.credit = 100;
  await queryClient.invalidateQueries({ queryKey: ['credit'] });
  await waitFor(() => expect(screen.queryByText(i18next.t('reminder.title'))).toBeNull());
});

it('shows for each group whether it is rebooked or booked for the first time', async () => {
  const [one, two] = groups.map((appointment, index) => {
    const over = { ...appointment, applicant_names: [`Name ${index}`], appointment_date: index === 0 ? '2027-06-12' : null };
    const group = { id: `d${index}`, status: 'draft', portal_schedule_id: over.schedule_id, appointments: [over] };
    return { group, appointment: over };
  });
  if (!one || !two) throw new Error('the story has too few groups');
  show(<PlainSummary form={{ ...defaultForm(civilToday(Date.now())), cities: ['Ottawa'] }} chosen={[two, one]} />);
  const items = (await screen.findAllByRole('listitem')).map((item) => item.textContent?.replaceAll('\u2060', ''));
  expect(items).toEqual(['Name 0, now 2027-06-12', 'Name 1, first appointment']);
  expect(document.body.textContent).toContain('We use at most 2 of your reschedules.');
});

import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import type { ComponentType } from 'react';
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router';
import { WizardPage } from '../src/features/wizard/WizardPage.tsx';
import { forgetWizard } from '../src/features/wizard/wizardDraft.ts';
import { queryClient } from '../src/shared/api/queries.ts';
import { acceptLogin } from '../src/shared/api/session.ts';
import type { LoginAnswer } from '../src/shared/api/types.ts';
import type { TextKey } from '../src/shared/i18n/textKey.ts';
import { Toaster } from '../src/shared/ui/Toast.tsx';
import type { Answer, Body } from './api.ts';
import { Frame } from './Frame.tsx';
import { renderAt } from './kit.tsx';
import { answerCalls, answerFrom, type Reply } from './wire.ts';
import { createWorld, seed } from './world.ts';

// Long timeout for slow machines.
configure({ asyncUtilTimeout: 30_000 });
/** Longest duration of one test. */
export const STORY_MS = 30_000;

/** Request that the page sent. */
export interface Sent {
  call: string;
  body: Body;
  key: string | null;
}
type Replied = Reply | Promise<Answer>;

export const t = (key: TextKey, values: Record<string, unknown> = {}) => i18next.t(key, values) as string;

/** Prepares the wizard of a signed-in user on the fake backend. Tests can replace responses. */
export function stage(email = 'empty@example.com') {
  const world = createWorld();
  seed(world, email);
  const sent: Sent[] = [];
  const replies = new Map<string, (body: Body) => Replied | null>();
  answerCalls(async (call) => {
    const { line, body, headers } = call;
    sent.push({ call: line, body, key: headers.get('Idempotency-Key') });
    const found = [...replies].find(([start]) => line.startsWith(start));
    return (await found?.[1](body)) ?? answerFrom(world, call);
  });
  const user = { id: 'u1', username: email, email };
  acceptLogin({ access_token: 'a', refresh_token: 'r', user } as LoginAnswer, true);
  const calls = (prefix: string) => sent.filter(({ call }) => call.startsWith(prefix));
  return { world, sent, calls, replies, open: (path = '/schedule/wizard') => renderAt(<WizardPage />, path) };
}

/** Renders pages at their addresses. The last address in `entries` is open. */
export function renderRoutes(pages: Record<string, ComponentType>, entries: string[], over: Partial<RouteObject> = {}) {
  const children = Object.entries(pages).map(([path, Component]) => ({ path, Component }));
  const router = createMemoryRouter([{ ...over, children } as RouteObject], {
    initialEntries: entries,
    initialIndex: entries.length - 1,
  });
  const view = render(
    <Frame>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toaster />
      </QueryClientProvider>
    </Frame>,
  );
  return { router, ...view };
}

export const VERIFY = 'POST /schedules/verify-credentials';
const field = (key: TextKey) => screen.getByLabelText(t(key), { selector: 'input' });
/** Returns a button by its text. A query by role would be slow on such a large page. */
export function button(key: TextKey, values = {}): HTMLButtonElement {
  const found = screen.getAllByText(t(key, values)).flatMap((element) => element.closest('button') ?? []);
  if (!found[0]) throw new Error(`no button "${t(key, values)}"`);
  return found[0];
}
export const press = (key: TextKey, values = {}) => fireEvent.click(button(key, values));
/** Returns the checkboxes of the available appointments. */
export const boxes = () => [...document.querySelectorAll<HTMLInputElement>('[data-part="appointments"] input[type="checkbox"]')];
/** Returns the tile of a city. */
export const tile = (city: string) =>
  screen.findByText((text, element) => text === city && element?.closest('[data-part="cities"]') !== null);

/** Completes step 1 of the wizard. */
export async function signIn(username = 'lin@portal.example', password = 'Secret-1') {
  await screen.findByText(t('portal.title'));
  fireEvent.change(field('portal.username'), { target: { value: username } });
  fireEvent.change(field('portal.password'), { target: { value: password } });
  press('portal.verify');
}

/** Chooses the first groups and only the city Ottawa in step 2. */
export async function choose(howMany = 2) {
  const ottawa = await tile('Ottawa');
  for (const box of boxes().slice(0, howMany)) fireEvent.click(box);
  // The city of the present appointment is already chosen.
  for (const pressed of document.querySelectorAll('[data-part="cities"] [aria-pressed="true"]')) fireEvent.click(pressed);
  fireEvent.click(ottawa);
}

/** Simulates a reload: the page's memory is lost, the browser's storage stays. */
export function reload() {
  cleanup();
  queryClient.clear();
  const kept = { ...sessionStorage };
  forgetWizard();
  for (const [name, value] of Object.entries(kept)) sessionStorage.setItem(name, String(value));
}

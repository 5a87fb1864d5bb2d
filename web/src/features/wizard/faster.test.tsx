import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { securityOf } from '../../../mock/security.ts';
import { press, STORY_MS, signIn, stage, t } from '../../../mock/wizardKit.tsx';
import { queryClient } from '../../shared/api/queries.ts';
import { endSession } from '../../shared/api/session.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { forgetWizard } from './wizardDraft.ts';

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
  forgetWizard();
  vi.unstubAllGlobals();
});

async function toAskFirst(email: string) {
  const set = stage(email);
  // The user proved their identity recently, so adding a channel needs no further proof.
  securityOf(set.world).provenUntil = Date.now() + 300_000;
  set.open();
  await signIn();
  await screen.findByText(t('wizard.whichAppointments'));
  fireEvent.click(screen.getByRole('radio', { name: t('editor.ask') }));
  return set;
}

const isAskChosen = () => screen.getByRole<HTMLInputElement>('radio', { name: t('editor.ask') }).checked;

function allowPush() {
  const pushManager = {
    getSubscription: async () => null,
    subscribe: async () => ({ toJSON: () => ({ endpoint: 'https://push.example.com/x', keys: { p256dh: 'p', auth: 'a' } }) }),
  };
  const serviceWorker = { ready: Promise.resolve({ pushManager }), getRegistration: async () => ({ pushManager }) };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', { userAgent: 'Firefox', platform: '', maxTouchPoints: 0, language: 'en', serviceWorker });
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', { permission: 'default', requestPermission: async () => 'granted' });
}

it('adds this browser with one press if questions only arrive by mail, and keeps the choices', async () => {
  allowPush();
  const { calls } = await toAskFirst('empty@example.com');
  expect(await screen.findByText('So far only email can ask you')).toBeTruthy();
  expect(screen.getByText(/you agree that the maker of your browser .* passes on: The date and city/)).toBeTruthy();
  press('reach.faster.push');
  expect(
    (await screen.findByText('Questions also reach you through Browser notifications.')).closest('[role="status"]'),
  ).toBeTruthy();
  expect(calls('POST /user/channels').map(({ body }) => body)).toMatchObject([{ consent: true, target: { kind: 'web_push' } }]);
  expect(screen.queryByText('So far only email can ask you')).toBeNull();
  expect(isAskChosen()).toBe(true);
});

it('links Telegram in a dialog above the wizard', async () => {
  await toAskFirst('empty@example.com');
  fireEvent.click(await screen.findByRole('button', { name: 'Telegram' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Telegram' }));
  fireEvent.click(dialog.getByText(t('reach.agree')));
  fireEvent.click(dialog.getByRole('button', { name: t('reach.getLink') }));
  expect(await dialog.findByText(t('reach.openLink', { name: 'Telegram' }))).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: t('settings.cancel') }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(isAskChosen()).toBe(true);
});

it('names the channel that delivers questions, if there is one, and shows nothing in other modes', async () => {
  await toAskFirst('one@example.com');
  expect(await screen.findByText('Questions also reach you through Telegram.')).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: t('editor.rebook') }));
  expect(screen.queryByText('Questions also reach you through Telegram.')).toBeNull();
});

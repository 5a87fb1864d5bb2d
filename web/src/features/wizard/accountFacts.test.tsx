import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ok } from '../../../mock/api.ts';
import { opened } from '../../../mock/countries.ts';
import { appointment, day } from '../../../mock/story.ts';
import { boxes, STORY_MS, signIn, stage, t, VERIFY } from '../../../mock/wizardKit.tsx';
import { queryClient } from '../../shared/api/queries.ts';
import { endSession } from '../../shared/api/session.ts';
import type { Verification, VerifiedAppointment } from '../../shared/api/types.ts';
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
});

function group(id: string, over: Partial<VerifiedAppointment> = {}) {
  const held = appointment({ schedule_id: id, appointment_date: day(300) });
  const row = { ...held, selectable: true, reason: null, ...over } as VerifiedAppointment;
  return { id: `draft-${id}`, status: 'draft', portal_schedule_id: id, appointments: [row] };
}

/** Signs in to an account with these groups, in an instance that has opened Peru. */
async function verified(schedules: Verification['schedules'], left_out: Verification['left_out'] = []) {
  const wizard = stage();
  wizard.replies.set('GET /facilities', () => ok(opened('en-pe')));
  wizard.replies.set(VERIFY, () => ok({ schedules, left_out, verified_at: new Date().toISOString() }));
  wizard.open();
  await signIn();
  await screen.findByText(t('wizard.whichAppointments'));
  return wizard;
}

const page = () => (document.body.textContent ?? '').replaceAll('\u2060', '');

it('shows the groups that cannot be held with the reason, even if there is no other', async () => {
  const wizard = await verified(
    [],
    [
      { portal_schedule_id: '71', reason: 'unknown_city', city: 'Palermo' },
      { portal_schedule_id: '72', reason: 'fingerprints_only', city: null },
      { portal_schedule_id: '73', reason: 'unreadable', city: null },
      { portal_schedule_id: '74', reason: 'of a newer server', city: null },
    ],
  );
  expect(page()).toContain('Its city, Palermo, is not known to this version yet');
  for (const number of ['71', '72', '73', '74']) expect(page()).toContain(t('wizard.number', { number }));
  expect(screen.getAllByText(t('leftOut.unreadable'))).toHaveLength(2);
  expect(boxes()).toHaveLength(0);
  // The form of the account may have shown further cities.
  await waitFor(() => expect(wizard.calls('GET /facilities').length).toBeGreaterThan(1));
});

it('locks a group whose form asks for a fingerprint appointment', async () => {
  await verified([group('81', { selectable: false, reason: 'asks_fingerprints' }), group('82')]);
  expect(boxes()).toHaveLength(1);
  expect(page()).toContain('which we cannot book yet');
});

it('asks for consent before any reschedule of a limit for life', async () => {
  await verified([group('91', { country_code: 'en-pe', facility: 'Lima' })]);
  expect(page(), 'Canada has no limit for life').not.toContain(t('editor.lifeTitle'));
  cleanup();
  forgetWizard();
  queryClient.clear();
  const wizard = stage();
  wizard.replies.set('GET /facilities', () => ok(opened('en-pe')));
  const schedules = [group('91', { country_code: 'en-pe', facility: 'Lima' })];
  wizard.replies.set(VERIFY, () => ok({ schedules, left_out: [], verified_at: new Date().toISOString() }));
  sessionStorage.clear();
  wizard.open();
  await screen.findByText(t('portal.title'));
  fireEvent.click(screen.getByLabelText(t('portal.country'), { selector: 'button' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Peru' }));
  await signIn();
  expect(await screen.findByText(t('editor.lifeText', { count: 2 }))).toBeTruthy();
  expect(screen.queryByLabelText(t('editor.lastAttempt'))).toBeNull();
  await waitFor(() => expect(page()).toContain(t('plain.lifeKept', { count: 2 })));
  fireEvent.click(screen.getByLabelText(t('editor.lifeConsent')));
  await waitFor(() => expect(page()).not.toContain(t('plain.lifeKept', { count: 2 })));
  expect(page()).toMatch(/Until \d{4}-\d\d-\d\d we may use the 2 reschedules that are for life\./);
});

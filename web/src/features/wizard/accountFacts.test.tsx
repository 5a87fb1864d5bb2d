import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ok } from '../../../mock/api.ts';
import { opened } from '../../../mock/countries.ts';
import { appointment, day } from '../../../mock/story.ts';
import { boxes, press, STORY_MS, signIn, stage, t, VERIFY } from '../../../mock/wizardKit.tsx';
import { show } from '../../parts/balance/testing.tsx';
import { ParameterEditor } from '../../parts/criteria/ParameterEditor.tsx';
import { defaultForm } from '../../parts/criteria/searchForm.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { endSession } from '../../shared/api/session.ts';
import type { Verification, VerifiedAppointment } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { forgetWizard } from './wizardDraft.ts';

vi.setConfig({ testTimeout: 2 * STORY_MS });

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
  expect(wizard.calls('GET /facilities').length).toBeGreaterThan(1);
});

it('locks a group whose form has unknown fields for a fingerprint appointment', async () => {
  await verified([group('81', { selectable: false, reason: 'asks_fingerprints' }), group('82')]);
  expect(boxes()).toHaveLength(1);
  expect(page()).toContain('in a way Sooner does not know');
});

it('shows the fingerprint appointment of a group', async () => {
  const fingerprints = { date: '2027-02-05', time: '07:30', city: 'Bogota', city_zh: '波哥大' };
  await verified([group('81', { fingerprints }), group('82')]);
  const lines = screen.getAllByText(/^Fingerprints: /).map((line) => line.textContent?.replaceAll('\u2060', ''));
  expect(lines).toEqual(['Fingerprints: 2027-02-05\u00a0(Fri)\u00a07:30\u00a0AM\u00a0· Bogota']);
});

it('asks for consent before any reschedule of a limit for life, and carries none over', async () => {
  const wizard = await verified([group('91')]);
  expect(page(), 'Canada has no limit for life').not.toContain(t('editor.lifeTitle'));
  fireEvent.click(screen.getByLabelText(t('editor.lastAttempt')));
  press('wizard.previous');
  await screen.findByText(t('portal.title'));
  fireEvent.click(screen.getByLabelText(t('portal.country'), { selector: 'button' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Peru' }));
  const schedules = [group('92', { country_code: 'en-pe', facility: 'Lima' })];
  wizard.replies.set(VERIFY, () => ok({ schedules, left_out: [], verified_at: new Date().toISOString() }));
  await signIn();
  expect(await screen.findByText(t('editor.lifeText', { count: 2 }))).toBeTruthy();
  expect(screen.queryByLabelText(t('editor.lastAttempt'))).toBeNull();
  const consent = screen.getByLabelText(t('editor.lifeConsent')) as HTMLInputElement;
  expect(consent.checked).toBe(false);
  fireEvent.click(screen.getByText(t('editor.ask')));
  await waitFor(() => expect(page()).toContain(t('plain.lifeKept', { count: 2 })));
  expect(page()).not.toContain(t('plain.askFirst'));
  fireEvent.click(consent);
  await waitFor(() => expect(page()).not.toContain(t('plain.lifeKept', { count: 2 })));
  expect(page()).toMatch(/limited to 2 for life; we may use them until \d{4}-\d\d-\d\d\./);
  expect(page()).toContain(t('plain.askFirst'));
});

it('asks for no consent while it is not known to what', async () => {
  queryClient.setQueryData(queries.facilities().queryKey, { countries: [] });
  const facts = { today: day(0), present: null, seen: [], attemptsLeft: null };
  const form = { ...defaultForm(day(0)), cities: ['Lima'] };
  show(<ParameterEditor form={form} facts={facts} countryCode="en-pe" onChange={() => undefined} />);
  expect(screen.getByText(t('editor.maxReschedules'))).toBeTruthy();
  expect(screen.queryByLabelText(t('editor.lastAttempt'))).toBeNull();
  expect(screen.queryByLabelText(t('editor.lifeConsent'))).toBeNull();
});

it('names no only city while another has no number', async () => {
  const countries = opened('en-pe').countries.map((one) =>
    one.code === 'en-pe'
      ? {
          ...one,
          facilities: [...one.facilities, { id: null, nameEn: 'Cusco', nameZh: '库斯科', zone: null, fingerprints: false }],
        }
      : one,
  );
  queryClient.setQueryData(queries.facilities().queryKey, { countries });
  const facts = { today: day(0), present: null, seen: [], attemptsLeft: null };
  const changed = vi.fn();
  show(<ParameterEditor form={defaultForm(day(0))} facts={facts} countryCode="en-pe" onChange={changed} />);
  expect(screen.getByText(t('editor.citiesUnknown'))).toBeTruthy();
  expect(screen.queryByText('Cusco')).toBeNull();
  expect(changed).not.toHaveBeenCalled();
});

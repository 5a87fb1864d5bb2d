// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { appointment } from '../../../mock/story.ts';
import { breakable } from '../../shared/i18n/format.ts';
import { showFirstData } from './firstData.ts';

const OUTLINE = `<div class="first"><p class="first-demo" hidden>demo</p>
  <div class="first-page"><i class="first-h"></i><i class="first-l"></i><i></i><i></i></div></div>`;
const places = { countries: [{ code: 'en-ca', facilities: [{ nameEn: 'Toronto', nameZh: '多伦多' }] }] };
const task = (over: Parameters<typeof appointment>[0]) => ({
  appointments: [appointment(over)],
  country_code: 'en-ca',
  portal_schedule_id: '1',
});
const booked = { appointment_date: '2026-12-22', appointment_time: '07:45', applicant_names: ['<b>Lin</b>', 'Chen'] };

const early = (answers: Record<string, unknown>, status = 200) => {
  window.early = Object.entries(answers).map(([path, data]) => ({
    url: `/api/v1${path}`,
    token: 't',
    response: Promise.resolve(new Response(JSON.stringify({ success: true, data }), { status })),
  }));
};
const outline = () => document.querySelector('.first-page') as Element;
const says = (what: string) => [...document.querySelectorAll(what)].map((one) => breakable(one.textContent ?? ''));

beforeEach(() => {
  document.body.innerHTML = OUTLINE;
  document.documentElement.lang = 'zh-CN';
  history.replaceState(null, '', '/dashboard');
});
afterEach(() => {
  localStorage.clear();
  window.early = undefined;
});

it('shows appointments with names and dates, and leaves the responses for the app to read', async () => {
  early({
    '/schedules?page=1': { schedules: [task(booked), task({ appointment_date: null })] },
    '/facilities': places,
    '/status': { demo: true },
  });
  await showFirstData(outline());
  expect(says('.first-names')).toEqual(['<b>Lin</b>、Chen', 'Lin Zhixia、Chen Yuhang']);
  expect(says('.first-when')).toEqual(['2026-12-22（周二）上午 7:45 · 多伦多']);
  expect(document.querySelector('.first-demo')?.hasAttribute('hidden')).toBe(false);
  const kept = await window.early?.[0]?.response;
  expect(kept?.bodyUsed).toBe(false);
});

it('shows on a task’s page its applicants and its appointment', async () => {
  document.documentElement.lang = 'en';
  early({ '/schedules/abc/status': { schedule: task(booked) }, '/facilities': places });
  await showFirstData(outline());
  expect(says('.first-title')).toEqual(['<b>Lin</b>, Chen']);
  expect(says('.first-when')).toEqual(['2026-12-22 (Tue) 7:45 AM · Toronto']);
  expect(document.querySelector('.first-demo')?.hasAttribute('hidden'), 'no demonstration').toBe(true);
});

it.each([
  ['somebody’s names are hidden here', () => localStorage.setItem('sooner.hidden', '["x"]'), 200],
  ['another list is asked for', () => history.replaceState(null, '', '/dashboard?filter=paused'), 200],
  ['the calls were refused', () => undefined, 401],
])('leaves the skeleton unchanged if %s', async (_, prepare, status) => {
  prepare();
  early({ '/schedules?page=1': { schedules: [task(booked)] }, '/facilities': places }, status);
  const before = document.body.innerHTML;
  await showFirstData(outline());
  expect(document.body.innerHTML).toBe(before);
});

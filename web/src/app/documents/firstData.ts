import { appointmentLine } from '../../parts/task/headline.ts';
import type { Schemas } from '../../shared/api/types.ts';
import { cityNameIn } from '../../shared/format/cityName.ts';
import { joined } from '../../shared/i18n/format.ts';
import { toLanguage } from '../../shared/i18n/language.ts';

/** Number of tasks that fit on the first screen. */
const MOST_ROWS = 4;

type FirstTask = Pick<Schemas['TaskView'], 'appointments' | 'portal_schedule_id'>;

/**
 * Returns the data of an early request of the document, or null if it was not sent or failed. It
 * reads a copy, so that the app can still read the response.
 */
async function answerTo<Data>(path: RegExp): Promise<Data | null> {
  const response = await window.early?.find(({ url }) => path.test(url))?.response;
  return response?.ok ? ((await response.clone().json()) as { data: Data }).data : null;
}

function line(className: string, text: string): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.className = className;
  paragraph.textContent = text;
  return paragraph;
}

/** Returns whether any names are hidden on this device. The skeleton then shows no names at all. */
const hidesPeople = () => (localStorage.getItem('sooner.hidden') ?? '[]') !== '[]';

/**
 * Shows the appointments in the skeleton of the dashboard or of a task, from the responses to the
 * document's early requests. On a slow connection this is about a second before the app renders.
 */
export async function showFirstData(outline: Element | null): Promise<void> {
  if (!outline || location.search || hidesPeople()) return;
  const [list, one, status, places] = await Promise.all([
    answerTo<{ schedules: FirstTask[] }>(/\/schedules\?/),
    answerTo<{ schedule: FirstTask }>(/\/schedules\/[^/]+\/status$/),
    answerTo<{ demo: boolean }>(/\/v1\/status$/),
    answerTo<Parameters<typeof cityNameIn>[0]>(/\/facilities$/),
  ]);
  const language = toLanguage(document.documentElement.lang);
  const summaryOf = ({ appointments: [first], portal_schedule_id }: FirstTask) => {
    const city = first?.facility ? cityNameIn(places, first.facility, language) : null;
    const names = first?.applicant_names.length ? first.applicant_names : [portal_schedule_id];
    return { names: joined(names, language), when: first && appointmentLine(first, city, language) };
  };
  if (status?.demo) outline.parentElement?.querySelector('.first-demo')?.removeAttribute('hidden');
  const blocks = [...outline.querySelectorAll('i:not([class])')];
  if (one) {
    const { names, when } = summaryOf(one.schedule);
    outline.querySelector('.first-h')?.replaceWith(line('first-title', names));
    if (when) outline.querySelector('.first-l')?.replaceWith(line('first-when', when));
    return;
  }
  if (!list || list.schedules.length === 0) return;
  const rows = list.schedules.slice(0, MOST_ROWS).map((task) => {
    const { names, when } = summaryOf(task);
    const row = document.createElement('div');
    row.className = 'first-row';
    row.append(line('first-names', names), ...(when ? [line('first-when', when)] : []));
    return row;
  });
  blocks[0]?.replaceWith(...rows);
  if (rows.length > 1) blocks[1]?.remove();
}

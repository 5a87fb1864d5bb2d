import type { Task } from '../src/shared/api/types.ts';
import { ago, appointment, askingTask, day, doneTask, price, stateTasks, task } from './story.ts';

const PEOPLE = ['Lin Zhixia', 'Chen Yuhang', '王嘉琪', 'Sun Haoran', '欧阳明远', 'Guo Meilin', 'Zhao Mingyuan', '李雪'];
const CITIES = ['Toronto', 'Vancouver', 'Ottawa', 'Montreal', 'Calgary'];

/**
 * Returns a number of tasks, newest first. Every fourth is paused, every fifth completed, and every
 * eleventh has an error.
 */
export function manyTasks(howMany: number): Task[] {
  return Array.from({ length: howMany }, (_, n) => {
    const id = `0193-${String(n + 1).padStart(4, '0')}`;
    const name = `${PEOPLE[n % PEOPLE.length]} ${n + 1}`;
    const over: Partial<Task> & { id: string } = {
      id,
      portal_schedule_id: String(58_000_000 + n),
      created_at: ago(60 + n * 30),
      submitted_at: ago(60 + n * 30),
      price: price(1),
      appointments: [
        appointment({
          schedule_id: String(58_000_000 + n),
          applicant_names: [name],
          applicants_count: 1,
          appointment_date: day(40 + (n % 300)),
          facility: CITIES[n % CITIES.length],
        }),
      ],
    };
    if (n % 11 === 10) return task({ ...over, status: 'error', status_reason: 'account_locked' });
    if (n % 5 === 4) return task({ ...doneTask, ...over, actions: undefined, rating_wanted: false, status: 'stopped' });
    if (n % 4 === 3) return task({ ...over, status: 'stopped', status_reason: 'by_user' });
    return task(over);
  });
}

const TWELVE = [
  'Wolfeschlegelsteinhausenbergerdorff Maximiliane Alexandrine',
  'Venkatanarasimharajuvaripeta Ramachandrasekhar',
  '阿卜杜拉·买买提江·吐尔逊',
  ...Array.from({ length: 9 }, (_, n) => `Zhang ${['Yi', 'Er', 'San', 'Si', 'Wu', 'Liu', 'Qi', 'Ba', 'Jiu'][n]}`),
];

/**
 * Unusual tasks: twelve applicants with long names and a past window, an unknown status, and an
 * empty task.
 */
export const oddTasks: Task[] = [
  task({
    id: '0193-twelve',
    price: price(12),
    appointments: [appointment({ applicant_names: TWELVE, applicants_count: 12 })],
    visa_credentials: {
      ...task({ id: 'x' }).visa_credentials,
      username: 'a.very.long.name.of.an.account.that.somebody.really.has@mail.department.example.com',
      health: 'cooling',
      health_since: ago(40),
      next_try_at: ago(-35),
    },
  }),
  task({
    id: '0193-past',
    status: 'stopped',
    status_reason: 'range_over',
    schedule_config: {
      ...task({ id: 'x' }).schedule_config,
      search_params: {
        ...task({ id: 'x' }).schedule_config.search_params,
        start_date: day(-90),
        end_date: day(-3),
        excluded_dates: [],
      },
    },
  }),
  task({ id: '0193-odd', status: 'hibernating' }),
  task({
    id: '0193-bare',
    country_code: 'en-xx',
    appointments: [
      appointment({
        applicant_names: [],
        applicants_count: 0,
        appointment_date: null,
        appointment_time: null,
        facility: null,
        ivr_account_number: null,
        visa_class: null,
      }),
    ],
    seen_dates: [],
    earliest_seen: null,
    attempts_left: null,
  }),
];

/** Task whose group has three applicants although two were paid for. */
const grownTask = task({
  id: '0193-grown',
  status: 'error',
  status_reason: 'group_changed',
  price: price(2, { difference: { applicants_now: 3, applicants_priced: 2, amount: 38 } }),
});

/**
 * Returns the tasks of a user, by the beginning of the mail address: empty, one, twenty, group,
 * many (500 tasks), odd, states, asks (two open questions), or the default example.
 */
export function sceneOf(email: string): Task[] {
  if (email.startsWith('empty') || email.startsWith('e2e')) return [];
  if (email.startsWith('one')) return [task({ id: '0193-on' })];
  if (email.startsWith('twenty')) return manyTasks(20);
  if (email.startsWith('group')) return [grownTask];
  if (email.startsWith('many')) return manyTasks(500);
  if (email.startsWith('odd')) return oddTasks;
  if (email.startsWith('states')) return stateTasks;
  if (email.startsWith('asks'))
    return [
      askingTask({ id: '0193-asks', attempts_left: 2 }),
      askingTask({ id: '0193-next', appointments: [appointment({ applicant_names: ['Sun Haoran'] })] }, 160, day(75)),
    ];
  return [task({ id: '0193-on' }), doneTask];
}

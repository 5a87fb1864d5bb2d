import type { Notified } from '../src/shared/api/channels.ts';
import { type Handlers, ok } from './api.ts';
import { ago } from './story.ts';

const notified = (over: Partial<Notified>): Notified => ({
  id: 'h1',
  event: 'booked',
  template: 'booked',
  channel: { id: 'n1', kind: 'telegram', label: '@linzhixia' },
  task_id: '0193-on',
  created_at: ago(185),
  state: 'accepted',
  at: ago(185),
  why: null,
  receipt: '4711',
  acknowledged_at: null,
  arrived_at: null,
  not_arrived: null,
  ...over,
});
const mail = { id: null, kind: 'email', label: 'l***@example.com' } as const;
const chan = { id: 'n2', kind: 'server_chan', label: '…3f2a' } as const;

const phone = { id: 'n3', kind: 'sms', label: '+1 ••• ••• 0123' } as const;

const history: Notified[] = [
  notified({}),
  notified({ id: 'h2', channel: mail, receipt: '250 ok' }),
  notified({ id: 'h3', channel: chan, state: 'not_sent', at: null, why: 'credentials', receipt: null }),
  notified({ id: 'h4', event: 'opening', created_at: ago(700), state: 'not_sent', at: null, why: 'quiet_hours', receipt: null }),
  notified({ id: 'h5', event: 'ask_first', created_at: ago(1_500), state: 'not_sent', at: null, why: 'too_late', receipt: null }),
  notified({
    id: 'h6',
    event: 'needs_you',
    created_at: ago(4_000),
    state: 'not_sent',
    at: null,
    why: 'another_accepted',
    receipt: null,
  }),
  notified({ id: 'h10', event: 'needs_you', created_at: ago(5_000), at: ago(5_000), acknowledged_at: ago(4_990) }),
  notified({ id: 'h11', channel: phone, created_at: ago(5_100), at: ago(5_100), arrived_at: ago(5_099) }),
  notified({ id: 'h12', channel: phone, created_at: ago(5_200), at: ago(5_200), not_arrived: '30003' }),
  notified({ id: 'h7', event: 'money', channel: mail, task_id: null, created_at: ago(6_000), at: ago(6_000) }),
  notified({ id: 'h8', event: 'digest', created_at: ago(2), state: 'waiting', at: null, receipt: null }),
  notified({ id: 'h9', event: 'security', channel: mail, task_id: null, created_at: ago(9_000), at: ago(9_000) }),
];

/** Handler of the delivery history. */
export const notifications: Handlers = {
  'GET /user/notifications': ({ world, query }) => {
    const task = query.get('task_id');
    const limit = Number(query.get('limit') ?? 20);
    const from = Number(query.get('before') ?? 0);
    const all = /^(fresh|mailonly|empty)/.test(world.email)
      ? []
      : history.filter(({ task_id }) => task === null || task_id === task);
    const next = from + limit < all.length ? String(from + limit) : null;
    return ok({ entries: all.slice(from, from + limit), next });
  },
};

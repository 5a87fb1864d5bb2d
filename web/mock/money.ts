import type {
  CodeStatus,
  DiscountLine,
  Movement,
  MovementKind,
  Receipt,
  ReceiptPart,
  TaskPrice,
} from '../src/shared/api/money.ts';
import { type BodyOf, type DataOf, fail, type Handlers, ok, tooOften } from './api.ts';
import { ago } from './story.ts';
import { changed, type World } from './world.ts';

const BASE = 48;
const PERSONAL = 10;
const CURRENCY = 'CAD';

/** Placeholder of a QR code. */
const PICTURE = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 25 25"><path d="M2 2h7v7H2zM16 2h7v7h-7zM2 16h7v7H2z" fill="none" stroke="#000"/><path d="M4 4h3v3H4zM18 4h3v3h-3zM4 18h3v3H4zM12 4h2v5h-2zM12 12h8v2h-8zM4 12h5v2H4zM16 17h4v4h-2v-2h-2z"/></svg>',
)}`;

/** Data about money in the fake backend. Tests change prices and make requests fail here. */
export interface Money {
  email: string;
  movements: Movement[];
  /** Paths that respond with status 500. */
  broken: Set<string>;
  base: number;
  /** Number of applicants who have already paid, by task id. */
  entitled: Map<string, number>;
  /** Promo codes with their status and discount. */
  promos: Map<string, { status: CodeStatus; amount: number }>;
  usedCodes: Set<string>;
  /** New price of starting a task again, by task id, if it differs from the agreed one. */
  startTotals: Map<string, number>;
  cardsEnabled: boolean;
  /** Public key of the card provider. Null simulates an incomplete configuration. */
  cardKey: string | null;
  intents: Map<string, { amount: number; status: string; credited: boolean }>;
}

const moneyByWorld = new WeakMap<World, Money>();

/** Returns the money data of a world. It is reset when another user signs in. */
export function moneyOf(world: World): Money {
  const known = moneyByWorld.get(world);
  if (known?.email === world.email) return known;
  const fresh: Money = {
    email: world.email,
    movements: world.email.startsWith('e2e') || world.email.startsWith('empty') ? [] : story(),
    broken: new Set(),
    base: BASE,
    entitled: new Map(),
    promos: new Map([
      ['MAPLE5', { status: 'applied', amount: 5 }],
      ['WINTER', { status: 'not_yet', amount: 0 }],
      ['SUMMER', { status: 'expired', amount: 0 }],
      ['FIRST100', { status: 'used_up', amount: 0 }],
      ['ONCE', { status: 'used_by_you', amount: 0 }],
      ['TEACHER', { status: 'not_yours', amount: 0 }],
      ['FREE', { status: 'nothing_left', amount: 0 }],
    ]),
    usedCodes: new Set(),
    startTotals: new Map(),
    cardsEnabled: world.email.startsWith('card'),
    cardKey: 'pk_test_mock',
    intents: new Map(),
  };
  moneyByWorld.set(world, fresh);
  return fresh;
}

type Step = [MovementKind, number, number, number, Partial<Movement>?];

/**
 * Creates movements from steps, oldest first. A step is [kind, minutes ago, change of the available
 * amount, change of the hold, other fields].
 */
function ledger(steps: Step[]): Movement[] {
  let available = 0;
  let held = 0;
  return steps
    .map(([kind, minutes, amount, held_change, over], index): Movement => {
      available += amount;
      held += held_change;
      return {
        id: `m${index + 1}`,
        at: ago(minutes),
        kind,
        amount,
        held_change,
        balance_after: available,
        held_after: held,
        currency: CURRENCY,
        task: null,
        code_tail: null,
        note: null,
        paid_with: null,
        description: null,
        ...over,
      };
    })
    .reverse();
}

const DAY = 1_440;
const story = () =>
  ledger([
    ['topup', 29 * DAY, 50, 0, { code_tail: '7a10' }],
    ['hold', 28 * DAY, -38, 38, { task: { id: '0193-done', label: 'Zhao Mingyuan' } }],
    ['topup', 22 * DAY + 6, 100, 0, { code_tail: '51c7' }],
    ['hold', 22 * DAY, -76, 76, { task: { id: '0193-on', label: 'Lin Zhixia, Chen Yuhang' } }],
    ['capture', 16 * DAY, 0, -38, { task: { id: '0193-done', label: 'Zhao Mingyuan' } }],
    ['bonus', 9 * DAY, 10, 0, { note: 'referral' }],
  ]);

/**
 * Adds a movement for a change of the balance since the last one, because the fake tasks only
 * change the amounts.
 */
function reconcile(world: World, money: Money, kind?: MovementKind, over?: Partial<Movement>): void {
  const last = money.movements[0];
  const amount = Math.round((world.credit - (last?.balance_after ?? 0)) * 100) / 100;
  const held_change = Math.round((world.onHold - (last?.held_after ?? 0)) * 100) / 100;
  if (amount === 0 && held_change === 0) return;
  const guessed: MovementKind = held_change > 0 ? 'hold' : held_change < 0 ? (amount > 0 ? 'release' : 'capture') : 'topup';
  money.movements.unshift({
    id: `m${money.movements.length + 1}`,
    at: new Date().toISOString(),
    kind: kind ?? guessed,
    amount,
    held_change,
    balance_after: world.credit,
    held_after: world.onHold,
    currency: CURRENCY,
    task: null,
    code_tail: null,
    note: null,
    paid_with: null,
    description: null,
    ...over,
  });
}

/** Credits a code or a card payment. */
export function credit(world: World, amount: number, kind: MovementKind, over: Partial<Movement>): void {
  const money = moneyOf(world);
  reconcile(world, money);
  world.credit += amount;
  reconcile(world, money, kind, over);
  changed(world, '-');
}

function code(money: Money, given: string | null | undefined, kind: 'promo' | 'referral') {
  if (!given) return null;
  const text = given.toUpperCase().replace(/[\s-]/g, '');
  const referrals: Record<string, CodeStatus> = { FRIEND7: 'applied', MINE42: 'own_code', LATE: 'not_first' };
  const known =
    kind === 'promo'
      ? money.promos.get(text)
      : referrals[text] && { status: referrals[text], amount: referrals[text] === 'applied' ? 8 : 0 };
  return { code: text, status: known?.status ?? ('unknown' as CodeStatus), amount: known?.amount ?? 0 };
}

function priced(world: World, body: BodyOf<'POST /pricing/calculate'>): DataOf<'POST /pricing/calculate'> {
  const money = moneyOf(world);
  const promo = code(money, body.promo_code, 'promo');
  const referral = code(money, body.referral_code, 'referral');
  const discount_lines: DiscountLine[] = [
    { type: 'personal', amount: PERSONAL },
    ...(promo?.status === 'applied' ? [{ type: 'promo' as const, amount: promo.amount }] : []),
    ...(referral?.status === 'applied' ? [{ type: 'referral' as const, amount: referral.amount }] : []),
  ];
  const off = discount_lines.reduce((sum, line) => sum + line.amount, 0);
  const unit = Math.max(0, money.base - off);
  const ids = body.schedule_ids ?? [];
  const schedule_pricing = ids.map((id): TaskPrice => {
    const group = (world.tasks.get(id) ?? world.drafts.get(id))?.appointments[0];
    const count = group?.applicants_count ?? 1;
    const entitled = money.entitled.get(id) ?? 0;
    return {
      schedule_id: id,
      applicants_count: count,
      entitled_applicants: entitled,
      base_price: money.base,
      discounts: off,
      discount_lines,
      final_price_per_person: unit,
      total_price: unit * (count - entitled),
      currency: CURRENCY,
    };
  });
  return {
    calculation: {
      base_price: money.base,
      user_group_discount: 0,
      user_specific_price: money.base,
      personal_discount: PERSONAL,
      promo_code_discount: promo?.amount ?? 0,
      referral_discount: referral?.amount ?? 0,
      currency: CURRENCY,
    },
    unit_price: unit,
    original_price: money.base,
    discount_amount: off,
    total_price: ids.length > 0 ? schedule_pricing.reduce((sum, line) => sum + line.total_price, 0) : unit,
    currency: CURRENCY,
    discount_lines,
    promo,
    referral,
    schedule_pricing,
  };
}

/**
 * Returns the error of a submission. If there is none, it sets the prices of the tasks and returns
 * null.
 */
export function beforeSubmit(world: World, body: BodyOf<'POST /schedules/submit'>) {
  if (!world.methods.billing) return null;
  const { promo_code, referral_code, schedule_ids } = body;
  const price = priced(world, { promo_code, referral_code, schedule_ids });
  if (price.promo && price.promo.status !== 'applied')
    return fail(422, 'PROMO_REFUSED', 'promo refused', { reason: price.promo.status });
  if (price.referral && price.referral.status !== 'applied')
    return fail(422, 'REFERRAL_REFUSED', 'referral refused', { reason: price.referral.status });
  const lines = price.schedule_pricing ?? [];
  const cost_details = {
    total_amount: price.total_price,
    currency: CURRENCY,
    applicants_count: lines.reduce((sum, line) => sum + line.applicants_count, 0),
    price_per_applicant: price.unit_price,
    schedule_breakdown: lines,
  };
  if (body.expected_total != null && body.expected_total !== price.total_price)
    return fail(409, 'PRICE_CHANGED', 'price changed', { cost_details });
  for (const line of lines) {
    const entry = world.tasks.get(line.schedule_id);
    if (!entry) continue;
    entry.price = {
      ...entry.price,
      unit_price: line.final_price_per_person,
      discount: line.discounts,
      discount_lines: line.discount_lines,
      total: line.total_price,
      unpaid_remainder: line.total_price,
    };
  }
  reconcile(world, moneyOf(world));
  return null;
}

/** Accepts the present size of a group, at its price. */
export function acceptGroup(world: World, id: string, body: BodyOf<'POST /schedules/{id}/accept-group'>) {
  const entry = world.tasks.get(id);
  const difference = entry?.price.difference;
  if (!entry || !difference) return fail(409, 'ILLEGAL_TRANSITION', 'nothing to accept');
  if (body.expected_total != null && body.expected_total !== difference.amount)
    return fail(409, 'PRICE_CHANGED', 'price changed', {
      cost_details: {
        total_amount: entry.price.total + difference.amount,
        currency: CURRENCY,
        applicants_count: difference.applicants_now,
        schedule_breakdown: [],
      },
      difference: difference.amount,
    });
  if (difference.amount > world.credit)
    return fail(402, 'INSUFFICIENT_CREDIT', 'Insufficient balance', {
      required_amount: difference.amount,
      available_amount: world.credit,
      currency: CURRENCY,
      details: '',
    });
  world.credit -= difference.amount;
  world.onHold += difference.amount;
  entry.price = { ...entry.price, difference: null, applicants_count: difference.applicants_now };
  entry.status = 'active';
  entry.status_reason = null;
  entry.version += 1;
  changed(world, id);
  return ok({ schedule: entry, booking_under_way: null });
}

function movements(world: World, query: URLSearchParams) {
  const money = moneyOf(world);
  reconcile(world, money);
  const [from, to] = [query.get('from'), query.get('to')];
  const found = money.movements.filter(
    (movement) =>
      (!query.get('kind') || movement.kind === query.get('kind')) && (!from || movement.at >= from) && (!to || movement.at < to),
  );
  const start = query.get('before') ? found.findIndex((movement) => movement.id === query.get('before')) + 1 : 0;
  const page = found.slice(start, start + Number(query.get('limit') ?? 20));
  const kinds = [...new Set(moneyOf(world).movements.map(({ kind }) => kind))];
  return ok({ movements: page, next: start + page.length < found.length ? (page.at(-1)?.id ?? null) : null, kinds });
}

function receipt(world: World, id: string) {
  const movement = moneyOf(world).movements.find((one) => one.id === id);
  if (!movement) return fail(404, 'NOT_FOUND', 'no such movement');
  const moved = Math.abs(movement.amount === 0 ? movement.held_change : movement.amount);
  const people = movement.task ? movement.task.label.split(', ').length : 1;
  const line = (type: ReceiptPart, unit_amount: number) => ({ type, count: people, unit_amount, amount: unit_amount * people });
  const view: Receipt = {
    ...movement,
    number: `S${movement.at.slice(0, 10).replaceAll('-', '')}-${movement.id.toUpperCase()}`,
    issued_at: movement.at,
    to: world.email,
    total: moved,
    issuer: { name: 'Sooner Demonstration Ltd.', address: '1 Example Street, Ottawa ON', tax_number: '00000 0000 RT0001' },
    included_tax:
      movement.kind === 'capture' ? { name: 'HST', percent: '13', amount: Math.round((moved * 100 * 13) / 113) / 100 } : null,
    lines: movement.task ? [line('base', moved / people + PERSONAL), line('personal', -PERSONAL)] : [line(movement.kind, moved)],
  };
  return ok(view);
}

const LIMIT_CODE = 'f'.repeat(16);

function topup(world: World, given: string) {
  const money = moneyOf(world);
  if (given === LIMIT_CODE) return tooOften(1_800);
  if (money.usedCodes.has(given)) return fail(409, 'TOPUP_CODE_USED', 'Topup code has already been used');
  if (given.endsWith('e0')) return fail(410, 'TOPUP_CODE_EXPIRED', 'Topup code has expired');
  if (!given.endsWith('0')) return fail(404, 'TOPUP_CODE_INVALID', 'Invalid topup code');
  const before = world.credit;
  money.usedCodes.add(given);
  credit(world, 100, 'topup', { code_tail: given.slice(-4) });
  return ok({ message: 'ok', amount: 100, currency: CURRENCY, balance_before: before, balance_after: world.credit });
}

/** Returns the error of starting a task again. A task whose hold was released gets a new one. */
export function beforeStart(world: World, id: string, body: BodyOf<'POST /schedules/{id}/start'>) {
  const total = moneyOf(world).startTotals.get(id);
  if (total !== undefined && body.expected_total !== total)
    return fail(409, 'PRICE_CHANGED', 'price changed', {
      cost_details: { total_amount: total, currency: CURRENCY, applicants_count: 2, schedule_breakdown: [] },
    });
  const again = world.tasks.get(id);
  if (again && again.price.on_hold === 0 && again.price.captured === 0 && again.price.total > world.credit)
    return fail(402, 'INSUFFICIENT_CREDIT', 'Insufficient balance', {
      required_amount: again.price.total,
      available_amount: world.credit,
      currency: CURRENCY,
      details: '',
    });
  return null;
}

/** Handlers of balance, prices, codes, movements and referrals. */
export const money: Handlers = {
  'GET /users/credit': ({ world }) => ok({ credit: world.credit, on_hold: world.onHold, currency: CURRENCY }),
  'GET /users/ledger': ({ world, query }) => movements(world, query),
  'GET /users/ledger/{id}': ({ world, id }) => receipt(world, id),
  'GET /users/referral': () =>
    ok({
      code: 'MINE42',
      newcomer_discount: 8,
      referrer_bonus: 10,
      invited: 3,
      credited: 1,
      credited_amount: 10,
      currency: CURRENCY,
      waiting: 1,
    }),
  'GET /pricing/calculate': ({ world }) => ok(priced(world, {})),
  'POST /pricing/calculate': ({ world, body }) => ok(priced(world, body)),
  'GET /pricing/plans': ({ world }) =>
    ok({ plans: [{ id: 'p1', name: 'standard', unit_price: moneyOf(world).base, currency: CURRENCY }] }),
  'GET /support': () =>
    ok({
      wechat_id: 'sooner-help',
      wechat_qr: 'https://u.wechat.example/sooner-help',
      wechat_picture: PICTURE,
      group_name: '早签交流群',
      group_qr: 'https://u.wechat.example/g/sooner',
      group_picture: PICTURE,
      email: 'help@sooner.example',
      xiaohongshu_id: null,
      xiaohongshu_qr: null,
      xiaohongshu_picture: null,
      hours: '9am-11pm EDT',
    }),
  'POST /topup/validate': ({ world, body }) => {
    if (body.code === LIMIT_CODE) return tooOften(1_800);
    return ok({ valid: body.code.endsWith('0') && !moneyOf(world).usedCodes.has(body.code) });
  },
  'POST /topup/use': ({ world, body }) => topup(world, body.code),
};

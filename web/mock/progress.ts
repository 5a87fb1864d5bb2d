import type { VerifyProgress } from '../src/shared/api/types.ts';
import { fail, type Handlers, ok } from './api.ts';

/** Stages of a verification with their start, in ms after the verification's start. */
const stages: [VerifyProgress['stage'], number][] = [
  ['queued', 0],
  ['connecting', 300],
  ['signing_in', 900],
  ['reading_groups', 1_900],
  ['reading_details', 2_500],
  ['saving', 3_600],
];
/** Duration of a verification. */
export const VERIFY_MS = 4_000;
const GROUPS = 5;
const DETAILS = 4;

const startTimes = new Map<string, number>();

/** Records the start of a verification. */
export function beginVerification(id: unknown): void {
  if (typeof id === 'string') startTimes.set(id, Date.now());
}

function progressSince(startedMs: number): VerifyProgress {
  const passed = Date.now() - startedMs;
  const at = stages.findLastIndex(([, from]) => passed >= from);
  const [stage, from] = stages[at] ?? ['queued', 0];
  const until = stages[at + 1]?.[1] ?? VERIFY_MS;
  return {
    stage,
    step: at,
    steps: stages.length,
    groups_found: at >= DETAILS ? GROUPS : null,
    groups_read: at === DETAILS ? Math.floor(((passed - from) / (until - from)) * GROUPS) : at > DETAILS ? GROUPS : null,
    since: new Date(startedMs + from).toISOString(),
  };
}

/** Handler of the progress of a verification. An unknown id is not found. */
export const verification: Handlers = {
  'GET /schedules/verify-credentials/{id}': ({ id }) => {
    const startedMs = startTimes.get(id);
    return startedMs === undefined ? fail(404, 'NOT_FOUND', 'not found') : ok(progressSince(startedMs));
  },
};

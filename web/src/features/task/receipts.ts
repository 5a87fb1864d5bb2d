import type { Fingerprints, Task } from '../../shared/api/types.ts';

/** Booking with its charge. */
export interface BookingReceipt {
  /** Number of the booking within the task, from 1. */
  n: number;
  number: string;
  at: string;
  from: string | null;
  date: string;
  time: string | null;
  facility: string;
  fingerprints: Fingerprints | null;
  daysAdvanced: number | null;
  charged: number;
  currency: string;
}

/**
 * Returns the bookings of a task with their charges, oldest first. A task is charged once, at its
 * first booking. If the ledger was frozen, the charge is later and belongs to the last booking
 * before it.
 */
export function receipts(task: Task): BookingReceipt[] {
  const moves = [...task.success_history].sort((a, b) => a.timestamp.localeCompare(b.timestamp));
  const charged = task.price.captured_at;
  const paid =
    charged === null
      ? -1
      : Math.max(0, moves.filter((move) => Date.parse(move.timestamp) <= Date.parse(charged) + 1_000).length - 1);
  return moves.map((move, index) => ({
    n: index + 1,
    number: `S-${task.portal_schedule_id}-${index + 1}`,
    at: move.timestamp,
    from: move.fromDate,
    date: move.date,
    time: move.time,
    facility: move.toLocation,
    fingerprints: move.fingerprints,
    daysAdvanced: move.daysAdvanced,
    charged: index === paid ? task.price.captured : 0,
    currency: task.price.currency,
  }));
}

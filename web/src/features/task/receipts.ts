import type { Task } from '../../shared/api/types.ts';

/** One booking and its price. */
export interface BookingReceipt {
  /** Its position among the bookings of the task, starting at 1. */
  n: number;
  number: string;
  at: string;
  from: string | null;
  date: string;
  time: string | null;
  facility: string;
  daysAdvanced: number | null;
  charged: number;
  currency: string;
}

/**
 * Returns the bookings of a task with their charges, oldest first. A task is charged once, at the
 * first booking. If the ledger was frozen then, the charge follows later and belongs to the last
 * booking not after it.
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
    daysAdvanced: move.daysAdvanced,
    charged: index === paid ? task.price.captured : 0,
    currency: task.price.currency,
  }));
}

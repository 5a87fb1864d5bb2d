import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queries } from '../../shared/api/queries.ts';
import type { SystemStatus, Task } from '../../shared/api/types.ts';

/** Returns the latest of several instants (RFC 3339). */
export function newest(instants: (string | null)[]): string | undefined {
  return instants.filter((instant) => instant !== null).sort((a, b) => Date.parse(b) - Date.parse(a))[0];
}

/**
 * Returns the time of each task's last check. The status may be older, because it is requested less
 * often.
 */
export const lastChecks = (tasks: Task[]) => tasks.map((task) => task.engine.last_check_at);

/** Returns whether the official site, the engine and the mail work. */
export const isFine = ({ engine, portal, delivery }: SystemStatus) =>
  engine.active && (portal.state === 'ok' || portal.state === 'unknown') && delivery.mail !== 'failing';

/** Returns the time of the engine's next check, if it is in the future. */
export const nextLook = ({ engine: { next_look_at } }: SystemStatus) =>
  next_look_at && Date.parse(next_look_at) > Date.now() ? next_look_at : null;

/**
 * Provides the system status. If a task shows a newer check than the status, the status is
 * requested again.
 */
export function useSystemStatus(tasks: Task[]) {
  const status = useQuery(queries.status());
  const { data, refetch } = status;
  const checked = newest(lastChecks(tasks));
  const isBehind = data !== undefined && checked !== undefined && Date.parse(checked) > Date.parse(data.at);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per check
  useEffect(() => {
    if (isBehind) void refetch();
  }, [isBehind, checked]);
  return status;
}

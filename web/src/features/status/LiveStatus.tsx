import { useMemo } from 'react';
import { useOnline } from '../../shared/hooks/useOnline.ts';
import { ask } from './ask.ts';
import { EVERY_S, type Live, LiveContext } from './live.tsx';
import { StatusView } from './StatusView.tsx';
import { type Told, ToldProvider } from './told.tsx';
import { silenced, toldNow } from './toldNow.ts';
import { toldPast } from './toldPast.ts';
import { usePolled } from './usePolled.ts';

const EVERY_MS = EVERY_S * 1000;
const PAST_EVERY_MS = 60_000;

const askStatus = () => ask('/status');
const askHistory = () => ask('/status/history');

/** What is told before anything is known. */
const nothing: Told = { now: { texts: {}, hours: [] }, past: { texts: {}, days: [], month: [], incidents: [] } };

/**
 * The page that is alive: begins with what the document said (`first`), and renews it. When our server is silent it says so, and
 * what was last known.
 */
export function LiveStatus({ first = nothing }: { first?: Told }) {
  const online = useOnline();
  const now = usePolled(askStatus, EVERY_MS);
  const past = usePolled(askHistory, PAST_EVERY_MS);
  const told = useMemo<Told>(() => {
    const known = now.data ? toldNow(now.data) : first.now;
    return {
      now: now.failed ? silenced(known, now.answeredAt, online) : known,
      past: past.data ? toldPast(past.data) : first.past,
    };
  }, [now.data, now.failed, now.answeredAt, past.data, online, first]);
  const begun = now.asking || now.failed || now.answeredAt > 0;
  const live: Live = {
    status: now.data,
    history: past.data,
    answeredAt: now.answeredAt,
    asking: now.asking,
    again: () => {
      now.again();
      past.again();
    },
  };
  if (first === nothing && !now.data && !now.failed) return null;
  return (
    <LiveContext value={begun ? live : null}>
      <ToldProvider told={told}>
        <StatusView />
      </ToldProvider>
    </LiveContext>
  );
}

import { useMemo } from 'react';
import { useOnline } from '../../shared/hooks/useOnline.ts';
import { fetchStatus } from './fetchStatus.ts';
import { EVERY_S, type Live, LiveContext } from './live.tsx';
import { StatusView } from './StatusView.tsx';
import { type StatusTexts, StatusTextsProvider } from './statusTexts.tsx';
import { silenced, textsNow } from './textsNow.ts';
import { textsPast } from './textsPast.ts';
import { usePolled } from './usePolled.ts';

const EVERY_MS = EVERY_S * 1000;
const PAST_EVERY_MS = 60_000;

const fetchNow = () => fetchStatus('/status');
const fetchHistory = () => fetchStatus('/status/history');

/** Texts before the first response. */
const nothing: StatusTexts = { now: { texts: {}, hours: [] }, past: { texts: {}, days: [], month: [], incidents: [] } };

/**
 * Renders the status page with live data. It starts with the texts of the document (`first`) and
 * polls the server. If the server does not answer, it shows that, and the last known state.
 */
export function LiveStatus({ first = nothing }: { first?: StatusTexts }) {
  const online = useOnline();
  const now = usePolled(fetchNow, EVERY_MS);
  const past = usePolled(fetchHistory, PAST_EVERY_MS);
  const texts = useMemo<StatusTexts>(() => {
    const known = now.data ? textsNow(now.data) : first.now;
    return {
      // Without a network the page reports outdated data at once, without waiting for a failed
      // request.
      now: now.isError || !online ? silenced(known, now.dataUpdatedAt, online) : known,
      past: past.data ? textsPast(past.data) : first.past,
    };
  }, [now.data, now.isError, now.dataUpdatedAt, past.data, online, first]);
  const begun = now.isFetching || now.isError || now.dataUpdatedAt > 0;
  const live: Live = {
    status: now.data,
    history: past.data,
    dataUpdatedAt: now.dataUpdatedAt,
    isFetching: now.isFetching,
    refetch: () => {
      now.refetch();
      past.refetch();
    },
  };
  if (first === nothing && !now.data && !now.isError) return null;
  return (
    <LiveContext value={begun ? live : null}>
      <StatusTextsProvider texts={texts}>
        <StatusView />
      </StatusTextsProvider>
    </LiveContext>
  );
}

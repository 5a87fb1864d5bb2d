import { LiveUpdates } from '../../parts/task/liveUpdates.ts';
import { RouteFocus } from './RouteFocus.tsx';

/** What works behind the pages of signed-in users; its code comes after the first page is drawn. */
export function AfterPage() {
  return (
    <>
      <LiveUpdates />
      <RouteFocus />
    </>
  );
}

import { LiveUpdates } from '../../parts/task/liveUpdates.ts';
import { QuestionWatch } from '../../parts/task/questions/QuestionWatch.tsx';
import { RouteFocus } from './RouteFocus.tsx';

/**
 * Renders background components for signed-in users. Their code loads after the first page has
 * rendered.
 */
export function AfterPage() {
  return (
    <>
      <LiveUpdates />
      <RouteFocus />
      <QuestionWatch />
    </>
  );
}

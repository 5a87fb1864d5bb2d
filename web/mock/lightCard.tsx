import i18next from 'i18next';
import { useHighlighted, usePresented } from '../src/parts/task/highlights.ts';
import { applicantNames, holdText, statusView } from '../src/parts/task/taskView.ts';
import type { Task } from '../src/shared/api/types.ts';

/** Renders a simple card, for tests of long lists. Real cards would be too slow in jsdom. */
export function LightCard({ task }: { task: Task }) {
  usePresented(task.id, `task-${task.id}`);
  return (
    <article id={`task-${task.id}`} data-highlighted={useHighlighted(task.id) || undefined}>
      <h3>{applicantNames(task.appointments).join(', ')}</h3>
      {i18next.t(statusView(task).label)} {i18next.t(holdText(task))}
    </article>
  );
}

interface QueuedRender {
  render: () => void;
}

const waiting: QueuedRender[] = [];
let current: QueuedRender | null = null;

function next(): void {
  current = waiting.shift() ?? null;
  current?.render();
}

/**
 * Runs after the next frame, so that a press is handled in between. Hidden pages have no frames.
 */
function afterFrame(then: () => void): void {
  if (document.hidden) setTimeout(then);
  else requestAnimationFrame(() => setTimeout(then));
}

/**
 * Calls `render` after all earlier callers, each in its own frame. All at once would be one long
 * layout task. The returned function ends its place in the queue.
 */
export function enqueueRender(render: () => void): () => void {
  const queued = { render };
  waiting.push(queued);
  if (!current) next();
  return () => {
    if (queued === current) afterFrame(next);
    else waiting.splice(waiting.indexOf(queued), 1);
  };
}

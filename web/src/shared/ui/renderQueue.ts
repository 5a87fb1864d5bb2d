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
 * Calls `then` after the next frame, so that the browser can handle a press in between. Hidden
 * pages have no frames.
 */
function afterFrame(then: () => void): void {
  if (document.hidden) setTimeout(then);
  else requestAnimationFrame(() => setTimeout(then));
}

/**
 * Adds `render` to a queue, in which each entry runs in its own frame. All at once would block the
 * page with one long layout. The caller calls the returned function when its render is complete or
 * no longer needed.
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

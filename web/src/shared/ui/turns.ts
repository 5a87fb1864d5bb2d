interface Turn {
  draw: () => void;
}

const waiting: Turn[] = [];
let current: Turn | null = null;

function next(): void {
  current = waiting.shift() ?? null;
  current?.draw();
}

/**
 * Runs after the next frame, so that a press is handled in between. Hidden pages have no frames.
 */
function afterFrame(then: () => void): void {
  if (document.hidden) setTimeout(then);
  else requestAnimationFrame(() => setTimeout(then));
}

/**
 * Calls `draw` after all earlier callers, each in its own frame. All at once would be one long
 * layout task. The returned function ends the turn.
 */
export function takeTurn(draw: () => void): () => void {
  const turn = { draw };
  waiting.push(turn);
  if (!current) next();
  return () => {
    if (turn === current) afterFrame(next);
    else waiting.splice(waiting.indexOf(turn), 1);
  };
}

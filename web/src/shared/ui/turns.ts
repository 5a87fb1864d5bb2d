interface Turn {
  draw: () => void;
}

const waiting: Turn[] = [];
let current: Turn | null = null;

function next(): void {
  current = waiting.shift() ?? null;
  current?.draw();
}

/** After the next frame, so that a press is answered in between; hidden pages have no frames. */
function afterFrame(then: () => void): void {
  if (document.hidden) setTimeout(then);
  else requestAnimationFrame(() => setTimeout(then));
}

/**
 * Calls `draw` when all who came before have drawn, each in a frame of its own: drawn at once, they would be laid out in one long task.
 * The function that is returned ends the turn.
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

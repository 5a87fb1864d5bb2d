/** Share of the marked element that must be visible before the animation plays. */
const WHOLE = 1;

/**
 * Plays each animation once, when its marked element becomes visible. The first and the last frame
 * show the complete picture.
 */
function playOnScreen(root: ParentNode): void {
  if (!('IntersectionObserver' in window) || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        target.closest('figure')?.setAttribute('data-play', '');
      }
    },
    { threshold: WHOLE },
  );
  for (const mark of root.querySelectorAll('[data-play-mark]')) watcher.observe(mark);
}

/**
 * Closes other `<details>` elements with the same name when one opens, in browsers that do not do
 * so.
 */
function oneOpen(root: Node & ParentNode): void {
  root.addEventListener(
    'toggle',
    ({ target }) => {
      // Uses the attribute, because browsers that support the property `name` need no help.
      const name = target instanceof HTMLDetailsElement && target.open && target.getAttribute('name');
      if (!name) return;
      for (const other of root.querySelectorAll('details'))
        if (other !== target && other.getAttribute('name') === name) other.open = false;
    },
    true,
  );
}

/** Adds scripts to the static parts of the landing page. The parts are complete without them. */
export function enhance(root: Node & ParentNode): void {
  playOnScreen(root);
  oneOpen(root);
}

/** Share of the picture's mark that must be on the screen before it plays. */
const WHOLE = 1;

/**
 * Plays a picture once when its mark enters the screen. The picture is complete before, and ends
 * unchanged.
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

/** Opens one `<details>` of a name at a time if the browser does not support that. */
function oneOpen(root: Node & ParentNode): void {
  root.addEventListener(
    'toggle',
    ({ target }) => {
      // Not `.name`: a browser that supports it closes the others itself.
      const name = target instanceof HTMLDetailsElement && target.open && target.getAttribute('name');
      if (!name) return;
      for (const other of root.querySelectorAll('details'))
        if (other !== target && other.getAttribute('name') === name) other.open = false;
    },
    true,
  );
}

/**
 * Adds the scripts of the landing page's static parts once the page has code. The parts are
 * complete without it.
 */
export function enhance(root: Node & ParentNode): void {
  playOnScreen(root);
  oneOpen(root);
}

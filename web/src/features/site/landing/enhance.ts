/** How much of the picture's mark must be on the screen before it plays. */
const WHOLE = 1;

/** Plays a picture once when its mark comes onto the screen: the picture is complete before, and ends as it was. */
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

/** Opens one `<details>` of a name at a time, where the browser does not know how by itself. */
function oneOpen(root: Node & ParentNode): void {
  root.addEventListener(
    'toggle',
    ({ target }) => {
      // Not `.name`: a browser that has it closes the others by itself.
      const name = target instanceof HTMLDetailsElement && target.open && target.getAttribute('name');
      if (!name) return;
      for (const other of root.querySelectorAll('details'))
        if (other !== target && other.getAttribute('name') === name) other.open = false;
    },
    true,
  );
}

/** The little that the landing's static parts want of script once the page is alive; they are whole without it. */
export function enhance(root: Node & ParentNode): void {
  playOnScreen(root);
  oneOpen(root);
}

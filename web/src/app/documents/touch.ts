// Implements the Astro directive `client:touch`. The code of an island loads at the first touch of
// the page, which is any interaction. `client:touch="near"` also waits until the island is near the
// visible area. `client:touch="here"` waits for a touch of the island itself. A press on a button
// of an island that is still loading is repeated afterwards. For signed-in users islands load when
// the browser is idle. The documents contain this script, so its imports must stay small.

import { reloadForNewBuild } from '../../shared/pwa/newBuild.ts';
import { restartPage } from '../../shared/pwa/restartPage.ts';

type Load = () => Promise<() => Promise<void>>;

/** Distance from the visible area that counts as near. */
const NEAR = '400px';
/** Longest wait until the browser is idle. */
const PATIENCE_MS = 2_000;
/** Events that count as the first touch of a page. */
const touches = ['pointerdown', 'pointerover', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin'];
/** Events that count as a touch of an island. */
const pressesHere = ['pointerdown', 'touchstart', 'keydown', 'focusin'];
const capture = { capture: true, passive: true };

/** Resolves at the first touch of the page, for signed-in users when the browser is idle. */
const touched = new Promise<void>((resolve) => {
  for (const name of touches) addEventListener(name, () => resolve(), { ...capture, once: true });
  if (!('member' in document.documentElement.dataset)) return;
  addEventListener('load', () => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: PATIENCE_MS });
    else setTimeout(resolve, PATIENCE_MS / 4);
  });
});

/** Waits two frames, after which React has rendered. */
const drawn = () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/**
 * Preloads the modules that the island needs at once. scripts/preloads.mjs writes their names into
 * the document.
 */
function preload(island: HTMLElement): void {
  for (const name of island.dataset.files?.split(' ') ?? []) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = `/assets/${name}`;
    document.head.append(link);
  }
}

/**
 * Returns the button that the user pressed, or null. Links are excluded, because they work without
 * code.
 */
function buttonOf(event: Event): HTMLElement | null {
  const button = (event.target as Element).closest('button');
  return button?.closest('a') ? null : button;
}

export default function touch(load: Load, { value }: { value?: unknown }, island: HTMLElement): void {
  let begun = false;
  let alive = false;
  let failures = 0;
  let pressed: HTMLElement | null = null;

  const wake = async () => {
    if (begun) return;
    begun = true;
    if (failures === 0) preload(island);
    const before = failures;
    const hydrate = await load();
    if (failures > before) {
      // The code failed to load. The press is forgotten, because users do not expect its repetition
      // much later. The next touch retries.
      begun = false;
      pressed = null;
      return;
    }
    await hydrate();
    alive = true;
    await drawn();
    pressed?.click();
    pressed = null;
  };

  // Handles code that failed to load, because there is a newer build or the network failed. Astro
  // would only log the error.
  island.addEventListener('astro:hydration-error', (event) => {
    event.preventDefault();
    failures += 1;
    void (failures === 1 ? reloadForNewBuild() : restartPage());
  });

  addEventListener(
    'click',
    (event) => {
      const button = !alive && island.contains(event.target as Node) ? buttonOf(event) : null;
      if (!button) return;
      event.preventDefault();
      event.stopPropagation();
      pressed = button;
      void wake();
    },
    true,
  );
  // A touch of the island itself loads it too, also again after a failure.
  for (const name of pressesHere)
    addEventListener(name, (event) => !alive && island.contains(event.target as Node) && void wake(), capture);

  if (value === 'here') return;
  void touched.then(() => {
    if (value !== 'near' || !('IntersectionObserver' in window)) return wake();
    const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && wake(), { rootMargin: NEAR });
    // The island's element itself has no box, so its first child is observed.
    near.observe(island.firstElementChild ?? island);
  });
}

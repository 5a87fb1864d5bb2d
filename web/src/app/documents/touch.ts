// Implements the directive `client:touch`: an island's code loads when the user touches the page.
// After the touch, `client:touch="near"` also waits until the island is near the screen, and
// `client:touch="here"` until the island itself is touched. A press on a button of an island that
// is not interactive yet is stored and repeated. For signed-in users islands load when the browser
// is idle. The script is built into the documents, so every import counts.

import { reloadForNewBuild } from '../../shared/pwa/newBuild.ts';
import { restartPage } from '../../shared/pwa/restartPage.ts';

type Load = () => Promise<() => Promise<void>>;

/** Distance from the screen that counts as near. */
const NEAR = '400px';
/** Longest wait for an idle browser. */
const PATIENCE_MS = 2_000;
/** Events that count as the first touch of a page. */
const touches = ['pointerdown', 'pointerover', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin'];
/** Events that count as a touch of an island. */
const pressesHere = ['pointerdown', 'touchstart', 'keydown', 'focusin'];
const capture = { capture: true, passive: true };

/**
 * Resolves at the first touch of the page. For signed-in users it resolves when the browser is
 * idle.
 */
const touched = new Promise<void>((resolve) => {
  for (const name of touches) addEventListener(name, () => resolve(), { ...capture, once: true });
  if (!('member' in document.documentElement.dataset)) return;
  addEventListener('load', () => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: PATIENCE_MS });
    else setTimeout(resolve, PATIENCE_MS / 4);
  });
});

/** Waits two frames: React renders in the first, and the second sees the result. */
const drawn = () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/**
 * Preloads the first modules of the island's code at once, before the code names them
 * (scripts/preloads.mjs).
 */
function preload(island: HTMLElement): void {
  for (const name of island.dataset.files?.split(' ') ?? []) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = `/assets/${name}`;
    document.head.append(link);
  }
}

/** Returns the button that a press targets. Links work without code. */
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
      // Users do not expect an old press to be repeated when the network is back. The next touch
      // tries again.
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

  // Astro logs a file that failed to load, and continues. There is a newer build, or the network
  // failed.
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
  // A touch of the island itself counts too. It retries after a failed load.
  for (const name of pressesHere)
    addEventListener(name, (event) => !alive && island.contains(event.target as Node) && void wake(), capture);

  if (value === 'here') return;
  void touched.then(() => {
    if (value !== 'near' || !('IntersectionObserver' in window)) return wake();
    const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && wake(), { rootMargin: NEAR });
    // The island has no box of its own.
    near.observe(island.firstElementChild ?? island);
  });
}

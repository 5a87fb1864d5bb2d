// The directive `client:touch`: an island's code is asked for when somebody touches the page. `client:touch="near"` waits, from
// then on, until the island is near the screen, `client:touch="here"` until the island itself is touched. A press on a button that
// comes before its island is alive is kept, and made again. For signed-in people islands come alive by themselves when the browser is
// idle. Built into the documents as it is: every import counts.
import { beginAgain } from '../../shared/pwa/lostPart.ts';
import { reloadForNewBuild } from '../../shared/pwa/newBuild.ts';

type Load = () => Promise<() => Promise<void>>;

/** How near to the screen is near. */
const NEAR = '400px';
/** Who is still busy after this long is served all the same. */
const PATIENCE_MS = 2_000;
/** Whatever somebody does with a page first. */
const touches = ['pointerdown', 'pointerover', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin'];
/** What somebody does with a part of it. */
const pressesHere = ['pointerdown', 'touchstart', 'keydown', 'focusin'];
const capture = { capture: true, passive: true };

/** Resolves with the first touch of the page, or, where somebody is signed in, when the browser is idle. */
const touched = new Promise<void>((resolve) => {
  for (const name of touches) addEventListener(name, () => resolve(), { ...capture, once: true });
  if (!('member' in document.documentElement.dataset)) return;
  addEventListener('load', () => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: PATIENCE_MS });
    else setTimeout(resolve, PATIENCE_MS / 4);
  });
});

/** Twice: the first frame is React's, the second sees what it did. */
const drawn = () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/** What the island's code begins with, asked for at once and not when the code has named it (scripts/preloads.mjs). */
function preload(island: HTMLElement): void {
  for (const name of island.dataset.files?.split(' ') ?? []) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = `/assets/${name}`;
    document.head.append(link);
  }
}

/** The button that a press is meant for; links work by themselves. */
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
      // Nobody expects a press of long ago to be made once the network is back. The next touch tries again.
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

  // Astro tells of a file that did not come, and goes on: there is a newer build, or the network failed.
  island.addEventListener('astro:hydration-error', (event) => {
    event.preventDefault();
    failures += 1;
    void (failures === 1 ? reloadForNewBuild() : beginAgain());
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
  // Also what touches the island itself: where its code did not come, that is the way to ask again.
  for (const name of pressesHere)
    addEventListener(name, (event) => !alive && island.contains(event.target as Node) && void wake(), capture);

  if (value === 'here') return;
  void touched.then(() => {
    if (value !== 'near' || !('IntersectionObserver' in window)) return wake();
    const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && wake(), { rootMargin: NEAR });
    // The island has no shape of its own.
    near.observe(island.firstElementChild ?? island);
  });
}

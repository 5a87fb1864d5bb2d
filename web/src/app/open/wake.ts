import { type ComponentType, lazy } from 'react';
import { beginAgain } from '../../shared/pwa/lostPart.ts';
import { reloadForNewBuild } from '../../shared/pwa/newBuild.ts';

/** When a part's code is asked for: as soon as the page is alive, when it is about to be seen, or when it is touched. */
export type When = 'alive' | 'near' | 'touched';

/** How near to the screen is near. */
const NEAR = '400px';
const touches = ['pointerdown', 'touchstart', 'focusin', 'keydown', 'click'] as const;

/** The button that a click is meant for; what links do works without any script. */
const buttonOf = (event: Event) => {
  const button = (event.target as Element).closest('button');
  return button?.closest('a') ? null : button;
};

/** A component whose code comes when it is needed, and what keeps an eye on the place where its markup stands until then. */
export function lazyWhen(load: () => Promise<ComponentType>, when: When) {
  let open: () => void = () => undefined;
  let needed = new Promise<void>((resolve) => {
    open = resolve;
  });
  let pressed: HTMLElement | null = null;
  let place: HTMLElement | null = null;
  let stop: () => void = () => undefined;

  let failures = 0;

  const Live = lazy(async () => {
    for (;;) {
      await needed;
      try {
        return { default: await load() };
      } catch {
        // The network failed: the next touch tries again, and until then nothing was pressed. Or there is a newer build.
        failures += 1;
        void (failures === 1 ? reloadForNewBuild() : beginAgain());
        pressed = null;
        needed = new Promise((resolve) => {
          open = resolve;
        });
      }
    }
  });

  const touched = (event: Event) => {
    if (!place?.contains(event.target as Node)) return;
    open();
    if (event.type !== 'click') return;
    const button = buttonOf(event);
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    pressed = button;
  };

  return {
    Live,
    /** Begins to watch the part's place; ends by itself when the part is alive. */
    watch: (box: HTMLElement | null) => {
      place = box;
      if (!place) return;
      // Not at the place itself: on its way there React would stop what is meant for a part that is not alive.
      for (const name of touches) document.addEventListener(name, touched, true);
      const seen = when === 'near' && 'IntersectionObserver' in window ? watchNear(place, () => open()) : null;
      if (when !== 'touched' && !seen) open();
      // Whoever is in it already, by keyboard or by a press that woke the page, has touched it.
      if (place.contains(document.activeElement)) open();
      stop = () => {
        for (const name of touches) document.removeEventListener(name, touched, true);
        seen?.disconnect();
      };
      return stop;
    },
    /** To be called when the part is alive: presses it as it was pressed before. */
    onAlive: () => {
      stop();
      pressed?.click();
      pressed = null;
    },
  };
}

function watchNear(place: HTMLElement, onNear: () => void): IntersectionObserver {
  const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && onNear(), { rootMargin: NEAR });
  // The box has no shape of its own.
  watcher.observe(place.firstElementChild ?? place);
  return watcher;
}

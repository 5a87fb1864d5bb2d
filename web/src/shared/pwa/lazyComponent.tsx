import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { reloadForNewBuild } from './newBuild.ts';
import { restartPage } from './restartPage.ts';

interface Missing {
  /**
   * Called if the code fails to load, so that the caller can restore its state. The next mount
   * retries.
   */
  onMissing?: () => void;
  /** Placeholder until the code has loaded. */
  fallback?: ReactNode;
}

/**
 * Creates a component whose code loads when it is first mounted. Until then it renders `fallback`
 * or nothing. A failed load affects nothing else on the page. With React's `lazy`, the whole page
 * would be unmounted, because it has no error boundary. `lost` handles the second and later
 * failures.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  lost: () => Promise<unknown> = restartPage,
) {
  let come: ComponentType<Props> | null = null;
  let coming: Promise<ComponentType<Props>> | null = null;
  let failures = 0;
  const request = () => {
    coming ??= load().then(
      (component) => {
        come = component;
        return component;
      },
      (error: unknown) => {
        coming = null;
        failures += 1;
        void (failures === 1 ? reloadForNewBuild() : lost());
        throw error;
      },
    );
    return coming;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once per module
  return function LazyComponent(props: Props & Missing) {
    const [There, setThere] = useState(() => come);
    const missing = useEffectEvent(() => props.onMissing?.());
    useEffect(() => {
      if (There) return;
      let left = false;
      const again = () => {
        request().then(
          (component) => left || setThere(() => component),
          () => left || missing(),
        );
      };
      again();
      window.addEventListener('online', again);
      return () => {
        left = true;
        window.removeEventListener('online', again);
      };
    }, [There]);
    return There ? <There {...props} /> : props.fallback;
  };
}

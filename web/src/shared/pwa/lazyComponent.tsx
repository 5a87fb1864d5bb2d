import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { beginAgain } from './lostPart.ts';
import { reloadForNewBuild } from './newBuild.ts';

interface Missing {
  /** The code did not come: whoever asked for it goes back to where it was, and the next mount asks again. */
  onMissing?: () => void;
  /** Stands in its place until the code is there. */
  fallback?: ReactNode;
}

/**
 * A component whose code comes when it is first drawn, and that is nothing, or `fallback`, until then. Unlike `lazy` a file that does not come
 * takes nothing else with it: React would unmount all up to the next error boundary, and the root has none. `lost` is what is done
 * from the second failure on.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  lost: () => Promise<unknown> = beginAgain,
) {
  let come: ComponentType<Props> | null = null;
  let coming: Promise<ComponentType<Props>> | null = null;
  let failures = 0;
  const ask = () => {
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
  // biome-ignore lint/correctness/noComponentHookFactories: made once, when a module is read, as `lazy` does
  return function LazyComponent(props: Props & Missing) {
    const [There, setThere] = useState(() => come);
    const missing = useEffectEvent(() => props.onMissing?.());
    useEffect(() => {
      if (There) return;
      let left = false;
      const again = () => {
        ask().then(
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

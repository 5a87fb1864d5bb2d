import { useKnownMethods } from '../../shared/api/methods.ts';
import { withWords } from '../../shared/i18n/speak.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';

const NobodyTold = lazyComponent(() => withWords(['parts/channels'], async () => (await import('./NobodyTold.tsx')).NobodyTold));

/** Loads that warning's code only if the server sends no mail. */
export function NobodyToldGate() {
  return useKnownMethods()?.mail === false && <NobodyTold />;
}

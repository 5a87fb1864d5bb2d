import { useKnownMethods } from '../../shared/api/methods.ts';
import { withWords } from '../../shared/i18n/speak.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';

const NoChannelAlert = lazyComponent(() =>
  withWords(['parts/channels'], async () => (await import('./NoChannelAlert.tsx')).NoChannelAlert),
);

/** Loads that warning's code only if the server sends no mail. */
export function NoChannelGate() {
  return useKnownMethods()?.mail === false && <NoChannelAlert />;
}

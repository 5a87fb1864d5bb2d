import { useKnownMethods } from '../../shared/api/methods.ts';
import { withTexts } from '../../shared/i18n/translations.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';

const NoChannelAlert = lazyComponent(() =>
  withTexts(['parts/channels'], async () => (await import('./NoChannelAlert.tsx')).NoChannelAlert),
);

/**
 * Renders `NoChannelAlert` if the server sends no mail. On other servers its code is never loaded.
 */
export function NoChannelGate() {
  return useKnownMethods()?.mail === false && <NoChannelAlert />;
}

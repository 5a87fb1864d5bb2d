import { withTexts } from '../../../shared/i18n/translations.ts';
import { lazyComponent } from '../../../shared/pwa/lazyComponent.tsx';

/** Loads with its texts only for tasks with such a condition, because most countries have none. */
export const FingerprintsRule = lazyComponent(() =>
  withTexts(['parts/criteria/fingerprints'], async () => (await import('./FingerprintsRule.tsx')).FingerprintsRule),
);

import { PolicyPage } from '../policies/PolicyPage.tsx';
import { BrowserTable } from './BrowserTable.tsx';
import { privacyParts } from './privacyParts.ts';

/** /privacy: what is stored, how it is encrypted, who sees it, how it goes away. */
export function PrivacyPage() {
  return (
    <PolicyPage
      heading="privacy.title"
      lead="privacy.lead"
      changed="privacy.changed"
      contents="privacy.contents"
      parts={privacyParts}
      after={{ browser: <BrowserTable /> }}
    />
  );
}

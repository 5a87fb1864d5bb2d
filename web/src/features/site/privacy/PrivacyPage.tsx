import { PolicyPage } from '../policies/PolicyPage.tsx';
import { BrowserTable } from './BrowserTable.tsx';
import { privacyParts } from './privacyParts.ts';

/** Renders /privacy: stored data, encryption, access, and deletion. */
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

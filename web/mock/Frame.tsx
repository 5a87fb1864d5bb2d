import type { ReactNode } from 'react';
import { AppUiWords } from '../src/shared/i18n/AppUiWords.tsx';
import { ThemeRoot } from '../src/shared/legacy/theme/ThemeRoot.tsx';

/** What every component of the app stands in. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <ThemeRoot>
      <AppUiWords>{children}</AppUiWords>
    </ThemeRoot>
  );
}

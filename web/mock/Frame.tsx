import type { ReactNode } from 'react';
import { AppUiWords } from '../src/shared/i18n/AppUiWords.tsx';

/** What every component of the app stands in. */
export function Frame({ children }: { children: ReactNode }) {
  return <AppUiWords>{children}</AppUiWords>;
}

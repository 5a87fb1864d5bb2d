import type { ReactNode } from 'react';
import { AppUiWords } from '../src/shared/i18n/AppUiWords.tsx';

/** Renders the providers of every component of the app. */
export function Frame({ children }: { children: ReactNode }) {
  return <AppUiWords>{children}</AppUiWords>;
}

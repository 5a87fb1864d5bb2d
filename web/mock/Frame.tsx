import type { ReactNode } from 'react';
import { AppUiTexts } from '../src/shared/i18n/AppUiTexts.tsx';

/** Renders the providers of every component of the app. */
export function Frame({ children }: { children: ReactNode }) {
  return <AppUiTexts>{children}</AppUiTexts>;
}

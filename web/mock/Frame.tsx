import type { ReactNode } from 'react';
import { AppUiTexts } from '../src/shared/i18n/AppUiTexts.tsx';

/** Renders the context providers that every component of the app needs. */
export function Frame({ children }: { children: ReactNode }) {
  return <AppUiTexts>{children}</AppUiTexts>;
}

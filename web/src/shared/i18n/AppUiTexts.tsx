import type { ReactNode } from 'react';
import { UiTextsProvider } from '../ui/UiTexts.tsx';
import en from '../ui/words/en.json';
import zh from '../ui/words/zh.json';
import { useLanguage } from './useLanguage.ts';

/** Provides the components of `shared/ui` with their texts in the app's language. */
export function AppUiTexts({ children }: { children: ReactNode }) {
  const language = useLanguage();
  return (
    <UiTextsProvider language={language} texts={language === 'zh' ? zh : en}>
      {children}
    </UiTextsProvider>
  );
}

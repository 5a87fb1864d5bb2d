import type { ReactNode } from 'react';
import { UiWordsProvider } from '../ui/UiWords.tsx';
import en from '../ui/words/en.json';
import zh from '../ui/words/zh.json';
import { useLanguage } from './useLanguage.ts';

/** Gives the components of `shared/ui` their texts in the app's language. */
export function AppUiWords({ children }: { children: ReactNode }) {
  const language = useLanguage();
  return (
    <UiWordsProvider language={language} words={language === 'zh' ? zh : en}>
      {children}
    </UiWordsProvider>
  );
}

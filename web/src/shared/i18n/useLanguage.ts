import { useTranslation } from 'react-i18next';
import { type Language, toLanguage } from './language.ts';

/** Returns the language of the page. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return toLanguage(i18n.resolvedLanguage ?? i18n.language);
}

import { addTexts, startI18n, type TextTree } from './translations.ts';

const files = import.meta.glob<TextTree>(['/src/**/words/*.json', '!/src/shared/ui/**'], { import: 'default', eager: true });

/** Test setup: loads all texts in both languages at once. */
startI18n(() => Promise.resolve({}));
for (const [path, texts] of Object.entries(files)) {
  addTexts(path.endsWith('/zh.json') ? 'zh' : 'en', texts);
}

/** Resolved already, because tests do not load texts later. */
export const i18nReady = Promise.resolve();

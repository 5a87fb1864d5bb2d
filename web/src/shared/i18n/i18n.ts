import { addTexts, startI18n, type TextTree } from './translations.ts';

const files = import.meta.glob<TextTree>(['/src/**/words/*.json', '!/src/shared/ui/**'], { import: 'default', eager: true });

/** For tests: all texts in both languages are available at once. */
startI18n(() => Promise.resolve({}));
for (const [path, texts] of Object.entries(files)) {
  addTexts(path.endsWith('/zh.json') ? 'zh' : 'en', texts);
}

/** Resolves at once. */
export const i18nReady = Promise.resolve();

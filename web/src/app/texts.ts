import type { LoadTexts, TextTree } from '../shared/i18n/translations.ts';

/** Module of a text file. */
interface TextFile {
  default: TextTree;
}

const files = import.meta.glob<TextFile>([
  '/src/**/words/*.json',
  '!/src/shared/ui/**',
  '!/src/features/{auth,card,site,status}/**',
  '!/src/parts/productExample/**',
  '!/src/app/documents/**',
]);
/** Text files of the documents. Only in development the app renders documents itself. */
const filesOfDocuments = import.meta.env.DEV
  ? import.meta.glob<TextFile>('/src/{features/{auth,site,status},parts/productExample,app/documents}/**/words/*.json')
  : {};

/**
 * Reads the texts of the page that the document contains, by folder
 * (pages/[language]/app/[page].astro).
 */
function readBundled(): { language?: string; folders: Record<string, TextTree> } {
  const data = document.getElementById('words');
  return data?.textContent ? { language: data.dataset.language, folders: JSON.parse(data.textContent) } : { folders: {} };
}

let bundled: ReturnType<typeof readBundled> | undefined;

/** Loads the texts of a folder, unless the document contains them. */
export const loadTexts: LoadTexts = async (folder, language) => {
  bundled ??= readBundled();
  const here = language === bundled.language ? bundled.folders[folder] : undefined;
  const file = `/src/${folder}/words/${language}.json`;
  const texts = here ?? (await (files[file] ?? filesOfDocuments[file])?.())?.default;
  if (!texts) throw new Error(`${folder} has no texts`);
  return texts;
};

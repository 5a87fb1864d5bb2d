import { joined } from './format.ts';
import type { Language } from './language.ts';

/** Joins names with "or", in Chinese with its separator: `Toronto, Ottawa or Montreal`. */
export function either(names: string[], language: Language): string {
  const before = names.slice(0, -1);
  if (language === 'zh' || before.length === 0) return joined(names, language);
  return `${joined(before, language)} or ${names.at(-1)}`;
}

import { allTexts } from '../../scripts/textFiles.ts';
import type { Language } from '../../src/shared/i18n/language.ts';
import type { TextKey } from '../../src/shared/i18n/textKey.ts';

const web = new URL('../..', import.meta.url).pathname;

/** Finds texts by their keys, so that tests contain no sentences. */
export class PageTexts {
  private readonly texts: Record<string, string>;

  constructor(readonly language: Language) {
    this.texts = allTexts(language, web);
  }

  /** Returns the text of a key, with unchanged placeholders. */
  text(key: TextKey | `${string}_one` | `${string}_other`): string {
    const text = this.texts[key];
    if (text === undefined) throw new Error(`no text for ${key}`);
    return text;
  }

  /** Returns a pattern that matches the text of a key with any values. */
  pattern(key: TextKey | `${string}_one` | `${string}_other`): RegExp {
    const escaped = this.text(key).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    // In Chinese the page removes the space beside a Chinese value (shared/i18n/translations.ts).
    return new RegExp(
      escaped.replace(/( ?)\\\{\\\{[a-z]+\\\}\\\}( ?)/gi, (_, before, after) => `${before && ' ?'}.*${after && ' ?'}`),
    );
  }
}

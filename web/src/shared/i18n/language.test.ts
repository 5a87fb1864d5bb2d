import { expect, it } from 'vitest';
import { firstKnown } from './language.ts';

// spec: 1.03
it.each([
  [['fr-CA', 'en-CA', 'zh'], 'en'],
  [['fr', 'zh-TW', 'en'], 'zh'],
  [['EN'], 'en'],
  [['zha', 'enm', 'fr'], undefined],
  [[], undefined],
  [undefined, undefined],
])('chooses from %s the first supported language: %s', (tags, language) => expect(firstKnown(tags)).toBe(language));

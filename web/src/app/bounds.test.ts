import { expect, it } from 'vitest';
import { limits } from '../parts/criteria/searchForm.ts';
import { LONGEST, SHORTEST } from '../shared/forms/passwordStrength.ts';
import en from '../shared/i18n/en.json';
import zh from '../shared/i18n/zh.json';

it.each([
  [[en.auth.needLength, zh.auth.needLength], [SHORTEST]],
  [[en.auth.passwordLong, zh.auth.passwordLong], [LONGEST]],
  [[en.editor.minDaysInvalid, zh.editor.minDaysInvalid], Object.values(limits.minDays)],
  [[en.editor.improvementInvalid, zh.editor.improvementInvalid], Object.values(limits.minImprovement)],
  [
    [en.editor.reschedulesInvalid, zh.editor.reschedulesInvalid],
    [limits.maxReschedules.min, limits.maxReschedules.max],
  ],
])('texts state the bounds that the API has: %s', (texts, numbers) => {
  for (const text of texts) expect(text.match(/\d+/g)?.map(Number)).toEqual(numbers);
});

import { expect, it } from 'vitest';
import { allTexts } from '../../scripts/textFiles.ts';
import { limits } from '../parts/criteria/searchForm.ts';
import { LONGEST, SHORTEST } from '../shared/forms/passwordStrength.ts';

it.each([
  ['auth.needLength', [SHORTEST]],
  ['auth.passwordLong', [LONGEST]],
  ['editor.minDaysInvalid', Object.values(limits.minDays)],
  ['editor.fingerprintsInvalid', Object.values(limits.fingerprintDays)],
  ['editor.improvementInvalid', Object.values(limits.minImprovement)],
  ['editor.reschedulesInvalid', [limits.maxReschedules.min, limits.maxReschedules.max]],
])('texts state the bounds of the API: %s', (key, numbers) => {
  for (const language of ['en', 'zh'] as const) expect(allTexts(language)[key]?.match(/\d+/g)?.map(Number)).toEqual(numbers);
});

import { expect, it } from 'vitest';
import document from '../../../openapi.json';
import { allTexts } from '../../../scripts/wordFiles.ts';
import { ApiError } from '../api/errors.ts';
import { errorWords, hasWords } from './errorWords.ts';

it('has words for a price that changed without saying to what', () => {
  expect(errorWords(new ApiError('PRICE_CHANGED', 'no', 409), 'problem.generic')).toBe('problem.priceChanged');
});

const codes = document.components.schemas.Code.enum;

// spec: 8.2.18
it('has a sentence in both languages for every code the server can answer', () => {
  const [english, chinese] = [allTexts('en'), allTexts('zh')];
  expect(codes.length).toBeGreaterThan(40);
  for (const code of codes) {
    expect([code, hasWords(code)]).toEqual([code, true]);
    const words = errorWords(new ApiError(code, 'no', 409), 'problem.generic');
    expect([code, typeof english[words], typeof chinese[words]]).toEqual([code, 'string', 'string']);
  }
});

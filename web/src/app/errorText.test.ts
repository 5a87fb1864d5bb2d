import { expect, it } from 'vitest';
import document from '../../openapi.json';
import { allTexts } from '../../scripts/textFiles.ts';
import { channelCodes, channelErrorText } from '../parts/channels/setup/problem.ts';
import { ApiError } from '../shared/api/errors.ts';
import { errorText, hasText } from '../shared/format/errorText.ts';

it('has a text for a changed price without a new amount', () => {
  expect(errorText(new ApiError('PRICE_CHANGED', 'no', 409), 'problem.generic')).toBe('problem.priceChanged');
});

const codes = document.components.schemas.Code.enum;

// spec: 8.2.18
it('has a text in both languages for every error code of the server', () => {
  const [english, chinese] = [allTexts('en'), allTexts('zh')];
  expect(codes.length).toBeGreaterThan(40);
  for (const code of codes) {
    const ofChannels = code in channelCodes;
    expect([code, hasText(code) || ofChannels]).toEqual([code, true]);
    const error = new ApiError(code, 'no', 409);
    const textKey = ofChannels ? channelErrorText('problem.generic')(error) : errorText(error, 'problem.generic');
    expect([code, typeof english[textKey], typeof chinese[textKey]]).toEqual([code, 'string', 'string']);
  }
});

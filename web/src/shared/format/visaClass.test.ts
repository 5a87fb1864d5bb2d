import { expect, it } from 'vitest';
import { visaClass } from './visaClass.ts';

it('omits text in parentheses', () => {
  expect(visaClass('B1/B2 Business & Tourism (Temporary visitor)', 'en')).toBe('B1/B2 Business & Tourism');
  expect(visaClass(null, 'zh')).toBe('');
});

it('keeps the code and shows the rest in Chinese', () => {
  expect(visaClass('B1/B2 Business & Tourism (Temporary visitor)', 'zh')).toBe('B1/B2 商务和旅游');
  expect(visaClass('F-1 Student (Academic or language), F-2 Dependent', 'zh')).toBe('F-1 学生、F-2 学生家属');
});

it('leaves an unknown class unchanged', () => {
  expect(visaClass('IR1 Spouse', 'zh')).toBe('IR1 Spouse');
});

import { expect, it } from 'vitest';
import { isDocument } from './documentPaths.ts';

it.each(['/', '/#contact', '/faq', '/privacy', '/pricing', '/refunds', '/terms', '/status', '/auth/login?next=/settings'])(
  '%s is the path of a document',
  (to) => {
    expect(isDocument(to)).toBe(true);
  },
);

it.each(['/dashboard', '/schedule/1', '/faq/none', '', '#contact', { pathname: '/faq' }])(
  '%o is not the path of a document',
  (to) => {
    expect(isDocument(to)).toBe(false);
  },
);

import type { ParseKeys } from 'i18next';

/** A key of the locale files; what pure functions return instead of sentences. */
export type Words = ParseKeys<'translation'>;

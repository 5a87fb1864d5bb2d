import type { ParseKeys } from 'i18next';

/** A key of the locale files. Pure functions return it instead of sentences. */
export type TextKey = ParseKeys<'translation'>;

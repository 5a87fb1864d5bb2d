import type { ParseKeys } from 'i18next';

/** Key of a text in the locale files. Pure functions return keys, and components translate them. */
export type TextKey = ParseKeys<'translation'>;

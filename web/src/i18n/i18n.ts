import { speak } from './speak.ts';

/** Resolves when the words of the detected language are there. */
export const i18nReady = speak();

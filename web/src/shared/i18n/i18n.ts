import pieces from 'virtual:words/app';
import { speak } from './speak.ts';

/** Resolves when the first words of the app are there, in the detected language. */
export const i18nReady = speak(pieces, 'app');

import type { TextKey } from '../../shared/i18n/textKey.ts';
import type { AppPageName } from '../pages.ts';

/** Line of a skeleton: a text, or a placeholder for a control. */
type Line = { as: 'title' | 'lead' | 'heading' | 'text' | 'label' | 'hint' | 'note'; says: TextKey } | { as: 'field' | 'steps' };

interface FirstTexts {
  /** Lines above the cards. */
  head: Line[];
  cards: Line[][];
  /** Position of the narrow column on a wide window, if the page has one. */
  beside?: 'before' | 'after';
}

const section = (heading: TextKey, text: TextKey): Line[] => [
  { as: 'heading', says: heading },
  { as: 'text', says: text },
];

/**
 * Texts of app pages that are the same for every user. The skeleton shows them before the code
 * loads (FirstLook.astro). The wizard has only those of its first step, because later steps depend
 * on data. shell.js marks the address of a later step.
 */
export const firstTexts: Partial<Record<AppPageName, FirstTexts>> = {
  settings: {
    head: [{ as: 'title', says: 'nav.settings' }],
    cards: [
      section('settings.language', 'settings.languageText'),
      section('settings.appearance', 'settings.appearanceText'),
      section('settings.autoStop', 'settings.autoStopText'),
    ],
    beside: 'before',
  },
  wizard: {
    head: [{ as: 'title', says: 'wizard.step1' }, { as: 'lead', says: 'wizard.lead1' }, { as: 'steps' }],
    cards: [
      [
        { as: 'heading', says: 'portal.title' },
        { as: 'label', says: 'portal.username' },
        { as: 'field' },
        { as: 'hint', says: 'portal.usernameHint' },
        { as: 'label', says: 'portal.password' },
        { as: 'field' },
        { as: 'note', says: 'portal.safe' },
        { as: 'label', says: 'portal.country' },
        { as: 'field' },
        { as: 'label', says: 'portal.visaType' },
        { as: 'field' },
      ],
      section('portal.whatWeDo', 'portal.whatWeDoText'),
    ],
    beside: 'after',
  },
};

/** Returns the keys of all texts in a skeleton. */
export const textsIn = ({ head, cards }: FirstTexts): TextKey[] =>
  [...head, ...cards.flat()].flatMap((line) => ('says' in line ? [line.says] : []));

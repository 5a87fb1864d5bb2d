import type { Words } from '../../shared/i18n/words.ts';
import type { AppPageName } from '../pages.ts';

/** A part of a page: words, or the room of something that answers only once there is code. */
type Line = { as: 'title' | 'lead' | 'heading' | 'text' | 'label' | 'hint' | 'note'; says: Words } | { as: 'field' | 'steps' };

interface FirstTexts {
  /** Above the cards. */
  head: Line[];
  cards: Line[][];
  /** What is beside the cards on a wide window, and where. */
  beside?: 'before' | 'after';
}

const section = (heading: Words, text: Words): Line[] => [
  { as: 'heading', says: heading },
  { as: 'text', says: text },
];

/**
 * What pages say whatever anybody's data are, so that their outline says it before there is code (FirstLook.astro). Of the wizard
 * it is the first step: the others begin with what was read (shell.js marks their address).
 */
export const firstTexts: Partial<Record<AppPageName, FirstTexts>> = {
  settings: {
    head: [{ as: 'title', says: 'nav.settings' }],
    cards: [
      section('settings.language', 'settings.languageText'),
      section('settings.autoStop', 'settings.autoStopText'),
      [...section('settings.notifications', 'settings.notificationsText'), { as: 'field' }, { as: 'field' }],
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

/** The words of an outline, so that they can be read from the words' files. */
export const wordsIn = ({ head, cards }: FirstTexts): Words[] =>
  [...head, ...cards.flat()].flatMap((line) => ('says' in line ? [line.says] : []));

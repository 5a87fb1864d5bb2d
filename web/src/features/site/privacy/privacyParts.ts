import type { TextKey } from '../../../shared/i18n/textKey.ts';
import type { PolicyPart } from '../policies/policyParts.ts';

export const privacyParts: PolicyPart[] = [
  { id: 'who', title: 'privacy.whoTitle', text: 'privacy.whoText', points: ['privacy.whoTerms', 'privacy.whoTried'] },
  {
    id: 'stored',
    title: 'privacy.storedTitle',
    text: 'privacy.storedText',
    points: [
      'privacy.storedAccount',
      'privacy.storedSignIns',
      'privacy.storedTasks',
      { textKey: 'privacy.storedMoney', without: 'billing_off' },
      'privacy.storedMails',
      'privacy.storedLogs',
    ],
  },
  {
    id: 'password',
    title: 'privacy.passwordTitle',
    text: 'privacy.passwordText',
    points: ['privacy.passwordSealed', 'privacy.passwordUsed', 'privacy.passwordStored', 'privacy.passwordLife'],
  },
  { id: 'access', title: 'privacy.accessTitle', text: 'privacy.accessText', points: ['privacy.accessSold'] },
  { id: 'act', title: 'privacy.actTitle', text: 'privacy.actText', points: ['privacy.actHuman'] },
  { id: 'share', title: 'privacy.shareTitle', text: 'privacy.shareText', points: [] },
  {
    id: 'others',
    title: 'privacy.cardTitle',
    text: 'privacy.cardText',
    points: [{ textKey: 'privacy.cardPay', without: 'billing_off' }, 'privacy.cardGoogle', 'privacy.cardChannels'],
  },
  {
    id: 'delete',
    title: 'privacy.deleteTitle',
    text: 'privacy.deleteText',
    points: ['privacy.deleteExport', 'privacy.deletePortal', 'privacy.deleteTask', 'privacy.deleteAccount'],
  },
  { id: 'browser', title: 'privacy.browserTitle', text: 'privacy.browserText', points: [] },
  { id: 'questions', title: 'privacy.contactTitle', text: 'privacy.contactText', points: ['privacy.contactChanges'] },
];

/**
 * Data that the site stores in a browser: names, purpose, duration. A test compares the names with
 * the code.
 */
export const browserKeeps: { names: string[]; what: TextKey; life: TextKey }[] = [
  { names: ['lang'], what: 'privacy.browserLang', life: 'privacy.lifeYear' },
  { names: ['__Host-sooner_pre', 'sooner_pre'], what: 'privacy.browserPre', life: 'privacy.lifePre' },
  {
    names: ['sooner.refresh', 'sooner.access', 'sooner.user', 'sooner.turn', 'sooner.signal'],
    what: 'privacy.browserSession',
    life: 'privacy.lifeSession',
  },
  {
    names: ['i18nextLng', 'sooner.mode', 'sooner.letters', 'sooner.billing'],
    what: 'privacy.browserLook',
    life: 'privacy.lifeChoice',
  },
  { names: ['sooner.verify.*'], what: 'privacy.browserVerify', life: 'privacy.lifeHalf' },
  {
    names: [
      'sooner.wizard',
      'sooner.deleting',
      'sooner.order',
      'sooner.payment',
      'sooner.priceCodes',
      'sooner.google',
      'sooner.note',
      'sooner.turnedAway',
      'sooner.person',
      'sooner.reloaded',
      'sooner.begunAgain',
      'sooner.dashboard.view',
      'sooner.dashboard.open',
      'sooner.questionsAside',
    ],
    what: 'privacy.browserWizard',
    life: 'privacy.lifeTab',
  },
  {
    names: ['sooner.faq.read', 'sooner.hidden', 'sooner.reminder.closed', 'sooner.bookings'],
    what: 'privacy.browserView',
    life: 'privacy.lifeChoice',
  },
  { names: ['sooner.push'], what: 'privacy.browserPush', life: 'privacy.lifeChoice' },
  { names: ['sooner.address'], what: 'privacy.browserAddress', life: 'privacy.lifeDay' },
  { names: ['sooner.referral'], what: 'privacy.browserReferral', life: 'privacy.lifeRegistration' },
  { names: ['Cache Storage'], what: 'privacy.browserWorker', life: 'privacy.lifeBuild' },
];

import 'i18next';
import type auth from '../features/auth/words/en.json';
import type card from '../features/card/words/en.json';
import type dashboardWatching from '../features/dashboard/watching/words/en.json';
import type dashboard from '../features/dashboard/words/en.json';
import type money from '../features/money/words/en.json';
import type own from '../features/own/words/en.json';
import type settings from '../features/settings/words/en.json';
import type siteFaq from '../features/site/faq/words/en.json';
import type siteLanding from '../features/site/landing/words/en.json';
import type sitePolicies from '../features/site/policies/words/en.json';
import type sitePrivacy from '../features/site/privacy/words/en.json';
import type status from '../features/status/words/en.json';
import type support from '../features/support/words/en.json';
import type taskReceipt from '../features/task/receipt/words/en.json';
import type task from '../features/task/words/en.json';
import type wizard from '../features/wizard/words/en.json';
import type partAccount from '../parts/account/words/en.json';
import type partBalancePay from '../parts/balance/pay/words/en.json';
import type partBalance from '../parts/balance/words/en.json';
import type partChannelsSetup from '../parts/channels/setup/words/en.json';
import type partChannels from '../parts/channels/words/en.json';
import type partCriteriaFingerprints from '../parts/criteria/fingerprints/words/en.json';
import type partCriteria from '../parts/criteria/words/en.json';
import type partDateLine from '../parts/dateLine/words/en.json';
import type partPortalAccount from '../parts/portalAccount/words/en.json';
import type partProductExample from '../parts/productExample/words/en.json';
import type partStepUp from '../parts/stepUp/words/en.json';
import type partTaskCard from '../parts/task/card/words/en.json';
import type partTaskMore from '../parts/task/more/words/en.json';
import type partTaskQuestions from '../parts/task/questions/words/en.json';
import type partTask from '../parts/task/words/en.json';
import type sharedForms from '../shared/forms/words/en.json';
import type sharedWords from '../shared/i18n/words/en.json';
import type appDocuments from './documents/words/en.json';
import type appShell from './shell/words/en.json';
import type app from './words/en.json';

/** All text keys of the product, combined from the text files of each folder. */
type AllTexts = typeof appDocuments &
  typeof appShell &
  typeof app &
  typeof auth &
  typeof card &
  typeof dashboardWatching &
  typeof dashboard &
  typeof money &
  typeof own &
  typeof settings &
  typeof partChannelsSetup &
  typeof siteFaq &
  typeof siteLanding &
  typeof sitePolicies &
  typeof sitePrivacy &
  typeof status &
  typeof support &
  typeof taskReceipt &
  typeof task &
  typeof wizard &
  typeof partAccount &
  typeof partBalancePay &
  typeof partBalance &
  typeof partChannels &
  typeof partCriteria &
  typeof partCriteriaFingerprints &
  typeof partDateLine &
  typeof partPortalAccount &
  typeof partProductExample &
  typeof partStepUp &
  typeof partTaskCard &
  typeof partTaskMore &
  typeof partTaskQuestions &
  typeof partTask &
  typeof sharedForms &
  typeof sharedWords;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: AllTexts };
    returnNull: false;
  }
}

import account from '../../parts/account/words/en.json' with { type: 'json' };
import forms from '../../shared/forms/words/en.json' with { type: 'json' };

const keysOf = (groups: Record<string, object>) =>
  Object.entries(groups).flatMap(([group, texts]) => Object.keys(texts).map((key) => `${group}.${key}`));
/** What the form says, without what the way back from Google does. */
const formWords = [...keysOf(account), ...keysOf(forms)].filter((key) => !/\.(callback|totp|recovery|reset)/.test(key));

/** What the landing says, and each part of it that lives: theirs travels with them, so it is no more than they need. */
export const landingWords = {
  page: [
    'landing',
    'gallery',
    'figures',
    'task.monitoring',
    'dateline',
    'open.showcase',
    'nav.login',
    'auth.inviteOnly',
    'auth.registrationOff',
  ],
  signUp: [...formWords, 'codes.haveReferral', 'problem', 'footer.privacy', 'landing.signUpNote', 'nav.login'],
  showcase: ['showcase'],
  gallery: ['gallery', 'landing.demoData'],
  contact: ['contact', 'support.hours', 'support.copy', 'support.copied', 'error.copyFailed'],
};

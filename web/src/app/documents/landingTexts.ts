import account from '../../parts/account/words/en.json' with { type: 'json' };
import forms from '../../shared/forms/words/en.json' with { type: 'json' };

const keysOf = (groups: Record<string, object>) =>
  Object.entries(groups).flatMap(([group, texts]) => Object.keys(texts).map((key) => `${group}.${key}`));
/** Texts of the registration form, without those for the return from Google. */
const formTexts = [...keysOf(account), ...keysOf(forms)].filter((key) => !/\.(callback|totp|recovery|reset)/.test(key));

/**
 * Texts of the landing page and of each of its islands. The document contains an island's texts in
 * serialized form, so each island has only the texts that it needs.
 */
export const landingTexts = {
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
  signUp: [...formTexts, 'codes.haveReferral', 'problem', 'footer.privacy', 'landing.signUpNote', 'nav.login'],
  showcase: ['showcase'],
  gallery: ['gallery', 'landing.demoData'],
  contact: ['contact', 'support.hours', 'support.copy', 'support.copied', 'error.copyFailed'],
};

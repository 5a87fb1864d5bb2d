import { useTranslation } from 'react-i18next';
import { accessToken, loadSession } from '../../shared/api/tokens.ts';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { useOnline } from '../../shared/hooks/useOnline.ts';
import { instantInFull } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { FactList } from './FactList.tsx';

/**
 * Returns the state of this browser's session as rows of text. They state whether tokens exist, but
 * never contain them.
 */
export function useSignInFacts(): [string, string][] {
  const { t } = useTranslation();
  const language = useLanguage();
  const identity = useIdentity();
  const online = useOnline();
  const session = loadSession();
  const yes = (is: boolean) => (is ? t('testPage.yes') : t('testPage.no'));
  return [
    [t('testPage.signedIn'), yes(identity !== null)],
    [t('testPage.user'), identity?.email ?? ''],
    [t('testPage.userId'), identity?.id ?? ''],
    [t('testPage.token'), yes(accessToken.get() !== null)],
    [t('testPage.remembered'), yes(session?.persistent ?? false)],
    [
      t('testPage.sessionEnds'),
      session?.expiresAt ? instantInFull(new Date(session.expiresAt).toISOString(), language) : t('testPage.endsNever'),
    ],
    [t('testPage.live'), yes(online)],
  ];
}

export function SignInFacts() {
  return <FactList rows={useSignInFacts()} />;
}

import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { WhereOpen } from '../../shared/api/facts.tsx';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { GuestActions } from '../shell/GuestActions.tsx';
import { Header } from '../shell/Header.tsx';
import { ToastHost } from '../shell/ToastHost.tsx';
import { begin } from './begin.ts';
import { documentPart } from './documentPart.tsx';
import { restoreMember } from './member.ts';
import styles from './PublicHeader.module.css';
import { PublicNav } from './PublicNav.tsx';
import type { PublicPage } from './publicPages.ts';

const Member = lazyComponent(async () => (await import('./Member.tsx')).Member);

/**
 * Marks the document for signed-in users once the session is restored. The mark hides elements for
 * guests. first.js sets it before the first paint, from stored data that may be outdated.
 */
function useMemberMark(member: boolean) {
  const [met, setMet] = useState(false);
  useEffect(() => {
    // If the code of the session does not load, the page stays in the state for guests.
    void restoreMember()
      .catch(() => undefined)
      .then(() => setMet(true));
  }, []);
  useEffect(() => {
    if (met) document.documentElement.toggleAttribute('data-member', member);
  }, [met, member]);
}

/**
 * Renders the balance and account of a signed-in user, or the sign-in links. Until the session is
 * restored, it renders the link to the dashboard.
 */
function Account() {
  const { t } = useTranslation();
  const identity = useIdentity();
  useMemberMark(identity !== null);
  const toDashboard = (
    <ButtonLink href={paths.dashboard} variant="ghost" size="small">
      {t('nav.dashboard')}
    </ButtonLink>
  );
  return (
    <>
      <div className={styles.guest}>
        <GuestActions Open={WhereOpen} />
      </div>
      <div className={styles.member}>{identity ? <Member identity={identity} fallback={toDashboard} /> : toDashboard}</div>
    </>
  );
}

/** Header of a public page, as an Astro island. It also starts the code of the document. */
export const PublicHeader = documentPart(function PublicHeader({ page }: { page: PublicPage }) {
  const language = useLanguage();
  useEffect(() => begin(language), [language]);
  return (
    <>
      <Header home={paths.home} nav={<PublicNav page={page} />} bare={false} crowded account={<Account />} />
      <ToastHost />
    </>
  );
});

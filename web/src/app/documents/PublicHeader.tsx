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
import { meetMember } from './member.ts';
import styles from './PublicHeader.module.css';
import { PublicNav } from './PublicNav.tsx';
import type { PublicPage } from './publicPages.ts';

const Member = lazyComponent(async () => (await import('./Member.tsx')).Member);

/** Tells the document whether somebody is signed in, which first.js could only guess: what is for guests alone is hidden by it. */
function useMemberMark(member: boolean) {
  const [met, setMet] = useState(false);
  useEffect(() => {
    // Where the session's code does not come, this is a page for guests.
    void meetMember()
      .catch(() => undefined)
      .then(() => setMet(true));
  }, []);
  useEffect(() => {
    if (met) document.documentElement.toggleAttribute('data-member', member);
  }, [met, member]);
}

/** Balance and account where somebody is signed in, else the ways in; the way to the dashboard until that is known. */
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

/** The header of a page for everybody; an island, which also does what the document does once it is alive. */
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

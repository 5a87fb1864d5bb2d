import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { StepUpGate } from '../../parts/stepUp/StepUpGate.tsx';
import { useBilling } from '../../shared/api/billing.ts';
import { useMethods } from '../../shared/api/methods.ts';
import { queries } from '../../shared/api/queries.ts';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { reloadForNewBuild } from '../../shared/pwa/newBuild.ts';
import { paths } from '../../shared/routing/paths.ts';
import { classes } from '../../shared/ui/classes.ts';
import { RouterTravel } from '../RouterTravel.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import styles from './AppShell.module.css';
import { BalanceChip } from './BalanceChip.tsx';
import { BottomBar } from './BottomBar.tsx';
import { DemoRibbon } from './DemoRibbon.tsx';
import { Footer } from './Footer.tsx';
import { GuestActions } from './GuestActions.tsx';
import { Header } from './Header.tsx';
import { MainNav } from './MainNav.tsx';
import { OfflineBanner } from './OfflineBanner.tsx';
import { SkipLink } from './SkipLink.tsx';

// Live updates need no code before the first data is shown, so it loads after the page has
// rendered.
const AfterPage = lazyComponent(async () => (await import('./AfterPage.tsx')).AfterPage, reloadForNewBuild);

/** Renders the notice of a demo server. */
function Demo() {
  const { data } = useQuery(queries.status());
  return <DemoRibbon demo={data?.demo} />;
}

type ChildrenProps = { children: ReactNode };

/** Renders its children if registration is open. Renders nothing while that is unknown. */
function Open({ children }: ChildrenProps) {
  const methods = useMethods();
  return methods && (methods.registration ?? 'open') === 'open' ? children : null;
}

/** Renders its children if the server charges for bookings. */
const Billed = ({ children }: ChildrenProps) => (useBilling() ? children : null);

/**
 * Renders the frame of every app page: skip link, header, banners, content, footer. Signed-in users
 * also get the bottom bar on phones.
 */
export function AppShell() {
  const identity = useIdentity();
  const { pathname } = useLocation();
  const onWizard = pathname === paths.wizard();
  return (
    <RouterTravel>
      <div className={classes(styles.page, identity && (onWizard ? styles.overWizardBar : styles.overBar))}>
        <SkipLink />
        <Demo />
        <Header
          home={identity ? paths.dashboard : paths.home}
          nav={<MainNav />}
          bare={identity !== null}
          account={
            identity ? (
              <>
                <BalanceChip />
                <AccountMenu identity={identity} />
              </>
            ) : (
              <GuestActions Open={Open} />
            )
          }
        />
        <OfflineBanner />
        <main id="main" tabIndex={-1} className={styles.main}>
          <Outlet />
        </main>
        <Footer Billed={Billed} />
        {identity && !onWizard && <BottomBar />}
        <StepUpGate />
        {identity && <AfterPage />}
        <ScrollRestoration />
      </div>
    </RouterTravel>
  );
}

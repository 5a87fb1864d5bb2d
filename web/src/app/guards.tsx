import { useEffect } from 'react';
import { Outlet, useLocation } from 'react-router';
import { useIdentity } from '../shared/api/useIdentity.ts';
import { forgetOrigin, turnAway } from '../shared/routing/origin.ts';
import { useGo } from '../shared/ui/Link.tsx';
import { PageSkeleton } from '../shared/ui/PageSkeleton.tsx';

/** Lets signed-in people through; guests go to sign in, by an address that leads back here. */
export function RequireUser() {
  const signedIn = useIdentity() !== null;
  const { pathname, search } = useLocation();
  const go = useGo();
  useEffect(() => {
    if (signedIn) forgetOrigin('arrived');
    else go(turnAway(`${pathname}${search}`), { replace: true });
  }, [signedIn, pathname, search, go]);
  return signedIn ? <Outlet /> : <PageSkeleton />;
}

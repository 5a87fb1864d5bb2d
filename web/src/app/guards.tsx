import { useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useIdentity } from '../shared/api/useIdentity.ts';
import { forgetOrigin, readOrigin, rememberOrigin } from '../shared/routing/origin.ts';
import { paths } from '../shared/routing/paths.ts';

/** Sends a guest to sign in, and remembers the address they wanted. */
function ToSignIn() {
  const { pathname, search } = useLocation();
  useEffect(() => rememberOrigin(`${pathname}${search}`), [pathname, search]);
  return <Navigate to={paths.login} replace />;
}

/** Lets signed-in people through; guests go to sign in. */
export function RequireUser() {
  const identity = useIdentity();
  const signedIn = identity !== null;
  useEffect(() => {
    if (signedIn) forgetOrigin('arrived');
  }, [signedIn]);
  return signedIn ? <Outlet /> : <ToSignIn />;
}

/** Lets guests through; signed-in people go to where they came from or to the dashboard. */
export function GuestsOnly() {
  const identity = useIdentity();
  if (!identity) return <Outlet />;
  return <Navigate to={readOrigin()} replace />;
}

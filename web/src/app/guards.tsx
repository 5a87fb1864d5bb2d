import { useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useIdentity } from '../shared/api/useIdentity.ts';
import { forgetOrigin, readOrigin, rememberOrigin } from '../shared/routing/origin.ts';
import { paths } from '../shared/routing/paths.ts';

/** Lets signed-in people through; guests go to sign in, and the address they wanted is remembered. */
export function RequireUser() {
  const identity = useIdentity();
  const location = useLocation();
  const signedIn = identity !== null;
  useEffect(() => {
    if (signedIn) forgetOrigin('arrived');
  }, [signedIn]);
  if (signedIn) return <Outlet />;
  rememberOrigin(`${location.pathname}${location.search}`);
  return <Navigate to={paths.login} replace />;
}

/** Lets guests through; signed-in people go to where they came from or to the dashboard. */
export function GuestsOnly() {
  const identity = useIdentity();
  if (!identity) return <Outlet />;
  return <Navigate to={readOrigin()} replace />;
}

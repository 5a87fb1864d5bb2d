import { type MiddlewareFunction, Outlet } from 'react-router';
import { sessionStore } from '../shared/api/identity.ts';
import { sessionReady } from '../shared/api/session.ts';
import { useIdentity } from '../shared/api/useIdentity.ts';
import { forgetOrigin, turnAway } from '../shared/routing/origin.ts';
import { PageSkeleton } from '../shared/ui/PageSkeleton.tsx';
import { leaveApp } from './leaveApp.ts';

/**
 * Admits signed-in users. Guests are redirected to the sign-in page, which returns to the requested
 * page.
 */
export const membersOnly: MiddlewareFunction = async ({ request }) => {
  await sessionReady();
  if (sessionStore.get()) return forgetOrigin('arrived');
  const { pathname, search } = new URL(request.url);
  await leaveApp(turnAway(`${pathname}${search}`));
};

/**
 * Renders the pages for signed-in users. When the user signs out or changes, the pages are
 * unmounted.
 */
export function Members() {
  const identity = useIdentity();
  return identity ? <Outlet key={identity.id} /> : <PageSkeleton />;
}

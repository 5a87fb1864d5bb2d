import { type MiddlewareFunction, Outlet } from 'react-router';
import { sessionStore } from '../shared/api/identity.ts';
import { sessionReady } from '../shared/api/session.ts';
import { useIdentity } from '../shared/api/useIdentity.ts';
import { forgetOrigin, turnAway } from '../shared/routing/origin.ts';
import { PageSkeleton } from '../shared/ui/PageSkeleton.tsx';
import { leave } from './leave.ts';

/** Lets signed-in people through; guests go to sign in, by an address that leads back here. */
export const membersOnly: MiddlewareFunction = async ({ request }) => {
  await sessionReady();
  if (sessionStore.get()) return forgetOrigin('arrived');
  const { pathname, search } = new URL(request.url);
  await leave(turnAway(`${pathname}${search}`));
};

/** The pages for signed-in people: nothing of them stays on screen once the person has signed out, or is somebody else. */
export function Members() {
  const identity = useIdentity();
  return identity ? <Outlet key={identity.id} /> : <PageSkeleton />;
}

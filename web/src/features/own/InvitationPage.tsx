import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { PageSkeleton } from '../../shared/ui/PageSkeleton.tsx';

const InvitationCard = lazyComponent(async () => (await import('./InvitationCard.tsx')).InvitationCard);

/** /auth/invitation?token=: rarely seen, so that no other page begins with its code. */
export function InvitationPage() {
  return <InvitationCard fallback={<PageSkeleton />} />;
}

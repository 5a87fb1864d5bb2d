import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { PageSkeleton } from '../../shared/ui/PageSkeleton.tsx';

const InvitationCard = lazyComponent(async () => (await import('./InvitationCard.tsx')).InvitationCard);

/** Page /auth/invitation?token=. It is rarely used, so no other page includes its code. */
export function InvitationPage() {
  return <InvitationCard fallback={<PageSkeleton />} />;
}

import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { PageSkeleton } from '../../shared/ui/PageSkeleton.tsx';

const InvitationCard = lazyComponent(async () => (await import('./InvitationCard.tsx')).InvitationCard);

/**
 * Renders /auth/invitation?token=. The code is a separate chunk, because few users open this page.
 */
export function InvitationPage() {
  return <InvitationCard fallback={<PageSkeleton />} />;
}

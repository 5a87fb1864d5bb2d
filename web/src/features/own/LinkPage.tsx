import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { PageSkeleton } from '../../shared/ui/PageSkeleton.tsx';

const LinkCard = lazyComponent(async () => (await import('./LinkCard.tsx')).LinkCard);

/** /auth/link?token=: rarely seen, so that no other page begins with its code. */
export function LinkPage() {
  return <LinkCard fallback={<PageSkeleton />} />;
}

import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { PageSkeleton } from '../../shared/ui/PageSkeleton.tsx';

const LinkCard = lazyComponent(async () => (await import('./LinkCard.tsx')).LinkCard);

/** Renders /auth/link?token=. The code is a separate chunk, because few users open this page. */
export function LinkPage() {
  return <LinkCard fallback={<PageSkeleton />} />;
}

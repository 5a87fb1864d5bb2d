import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { PageSkeleton } from '../../shared/ui/PageSkeleton.tsx';

const LinkCard = lazyComponent(async () => (await import('./LinkCard.tsx')).LinkCard);

/** Page /auth/link?token=. It is rarely used, so no other page includes its code. */
export function LinkPage() {
  return <LinkCard fallback={<PageSkeleton />} />;
}

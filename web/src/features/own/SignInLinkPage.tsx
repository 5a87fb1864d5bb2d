import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { PageSkeleton } from '../../shared/ui/PageSkeleton.tsx';

const SignInLinkCard = lazyComponent(async () => (await import('./SignInLinkCard.tsx')).SignInLinkCard);

/** Renders /auth/sign-in. The code is a separate chunk, because few users open this page. */
export function SignInLinkPage() {
  return <SignInLinkCard fallback={<PageSkeleton />} />;
}

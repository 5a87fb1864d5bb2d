import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';

// Only users who paid by card see it.
export const RefundCard = lazyComponent(async () => (await import('./RefundCard.tsx')).RefundCard);

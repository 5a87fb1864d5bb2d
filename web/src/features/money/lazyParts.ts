import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';

// Loads only for users who have paid by card.
export const RefundCard = lazyComponent(async () => (await import('./RefundCard.tsx')).RefundCard);

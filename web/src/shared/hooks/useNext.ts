import { leadingTo } from '../routing/origin.ts';
import { useAddress } from './useAddress.ts';

/** Makes links between the sign-in pages preserve the user's target. */
export function useNext(): (path: string) => string {
  const next = useAddress()?.get('next') ?? null;
  return (path) => leadingTo(path, next);
}

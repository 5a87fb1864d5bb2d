import { leadingTo } from '../routing/origin.ts';
import { useAddress } from './useAddress.ts';

/**
 * Returns a function that adds the page's `next` parameter to a path. Links between the sign-in
 * pages use it, so that the user reaches the requested page after sign-in.
 */
export function useNext(): (path: string) => string {
  const next = useAddress()?.get('next') ?? null;
  return (path) => leadingTo(path, next);
}

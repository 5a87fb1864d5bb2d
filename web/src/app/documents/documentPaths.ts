import { authPages } from './authPages.ts';
import { publicPages } from './publicPages.ts';

/**
 * Paths that the server answers with prerendered documents. The app's router does not handle them.
 */
export const documentPaths: readonly string[] = [...Object.values(publicPages), ...Object.values(authPages)].map(
  ({ path }) => path,
);

/** Returns whether an address is that of a prerendered document, with any query and fragment. */
export const isDocument = (to: unknown) => typeof to === 'string' && documentPaths.includes(to.split(/[?#]/, 1)[0] ?? to);

import { authPages } from './authPages.ts';
import { publicPages } from './publicPages.ts';

/** Addresses of documents of the server, which are no pages of the app. */
export const documentPaths: readonly string[] = [...Object.values(publicPages), ...Object.values(authPages)].map(
  ({ path }) => path,
);

/** Returns whether an address is that of such a document. Query and fragment do not matter. */
export const isDocument = (to: unknown) => typeof to === 'string' && documentPaths.includes(to.split(/[?#]/, 1)[0] ?? to);

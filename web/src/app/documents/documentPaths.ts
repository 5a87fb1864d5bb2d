import { authPages } from './authPages.ts';
import { publicPages } from './publicPages.ts';

/** Addresses that are no page of the app but a document that the server has ready. */
export const documentPaths: readonly string[] = [...Object.values(publicPages), ...Object.values(authPages)].map(
  ({ path }) => path,
);

/** Whether an address, whatever its query and place in the page, is such a document's. */
export const isDocument = (to: unknown) => typeof to === 'string' && documentPaths.includes(to.split(/[?#]/, 1)[0] ?? to);

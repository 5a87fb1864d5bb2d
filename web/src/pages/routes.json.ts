import { appPages } from '../app/pages.ts';

/**
 * Routes of the app for the server, with the document for each address
 * (crates/server/src/site/app_pages.rs).
 */
export const GET = () => Response.json(Object.entries(appPages).map(([page, { path }]) => ({ path, page })));

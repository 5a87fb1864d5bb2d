import { appPages } from '../app/pages.ts';

/** Routes of the app with their documents, for the server (crates/server/src/site/app_pages.rs). */
export const GET = () => Response.json(Object.entries(appPages).map(([page, { path }]) => ({ path, page })));

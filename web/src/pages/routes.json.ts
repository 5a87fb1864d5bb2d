import { appPages } from '../app/pages.ts';

/** The app's routes for the server: which document it sends for an address (crates/server/src/site/app_pages.rs). */
export const GET = () => Response.json(Object.entries(appPages).map(([page, { path }]) => ({ path, page })));

// Chunks of the app's code (vite.config.ts). Each page has few chunks, because a request costs more
// than its content on a slow connection. There is more than one, so that no page waits for code of
// other pages.
import { resolve } from 'node:path';
import { type AppPage, type AppPageName, appPages } from './src/app/pages.ts';

/** Module graph of the bundler. */
interface Graph {
  getModuleInfo(id: string): { importers: string[] } | null;
}

const fileOf = ({ module }: AppPage) => resolve(import.meta.dirname, `src/${module}.tsx`);
const pageFiles = new Set(Object.values(appPages).map(fileOf));

/** Groups of pages that use mostly the same modules. */
const families = {
  tasks: ['dashboard', 'task'],
  wizard: ['wizard'],
  editing: ['edit'],
  money: ['movements'],
  settings: [
    'settings',
    'settingsNotifications',
    'settingsVisaAccounts',
    'settingsAccount',
    'settingsSecurity',
    'settingsDevices',
    'settingsData',
    'settingsReferral',
  ],
  plain: ['bookingReceipt', 'receipt', 'payment', 'testSchedules', 'notFound'],
} as const satisfies Record<string, AppPageName[]>;

/**
 * Modules of Base UI that pages import only through an index file. Lists use them, and those load
 * later.
 */
const loadedLater = /floating-ui-react\/hooks\/(useFloatingRootContext|useListNavigation)/;

/** Returns whether a page imports a module statically, directly or indirectly. */
function beginsWith(page: string, id: string, graph: Graph): boolean {
  const seen = new Set<string>();
  const climb = (module: string): boolean => {
    if (module === page) return true;
    if (seen.has(module)) return false;
    seen.add(module);
    return graph.getModuleInfo(module)?.importers.some(climb) ?? false;
  };
  return climb(id);
}

/**
 * Returns the chunk of a module that pages need at once: that of one family, or a shared one.
 * Returns null if no page needs it at once.
 */
function fileFor(id: string, graph: Graph): string | null {
  if (pageFiles.has(id) || loadedLater.test(id)) return null;
  const users = Object.entries(families)
    .filter(([, pages]) => pages.some((page) => beginsWith(fileOf(appPages[page]), id, graph)))
    .map(([family]) => family);
  if (users.length < 2) return users[0] ?? null;
  if (users.join() === 'editing,money') return 'choices';
  return users.some((user) => user === 'tasks' || user === 'plain') ? 'pages' : 'forms';
}

/**
 * Chunk groups for the bundler, imported ones first. A module that only one page uses stays in the
 * page's chunk.
 */
export const sharedByPages = ['pages', 'forms', 'choices', ...Object.keys(families)].map((file, at) => ({
  name: (id: string, graph: Graph) => (fileFor(id, graph) === file ? file : null),
  debugName: file,
  minShareCount: 2,
  priority: 2 - at / 10,
}));

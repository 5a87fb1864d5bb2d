// Chunks of the app's code (vite.config.ts): few per page, because on a slow connection each
// request costs more than its content. There is not one chunk for all, because a page would wait
// for the code of others.
import { resolve } from 'node:path';
import { type AppPage, type AppPageName, appPages } from './src/app/pages.ts';

/** The bundler's module graph. */
interface Graph {
  getModuleInfo(id: string): { importers: string[] } | null;
}

const fileOf = ({ module }: AppPage) => resolve(import.meta.dirname, `src/${module}.tsx`);
const pageFiles = new Set(Object.values(appPages).map(fileOf));

/** Pages with mostly the same modules. */
const families = {
  tasks: ['dashboard', 'task'],
  wizard: ['wizard'],
  editing: ['edit'],
  money: ['movements'],
  settings: ['settings'],
  plain: ['bookingReceipt', 'receipt', 'payment', 'testSchedules', 'notFound'],
} as const satisfies Record<string, AppPageName[]>;

/** Returns whether a page statically imports a module, directly or indirectly. */
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
 * Returns the chunk of a module that pages start with: that of the one family, or of several.
 * Returns null if no page starts with it.
 */
function fileFor(id: string, graph: Graph): string | null {
  if (pageFiles.has(id)) return null;
  const users = Object.entries(families)
    .filter(([, pages]) => pages.some((page) => beginsWith(fileOf(appPages[page]), id, graph)))
    .map(([family]) => family);
  if (users.length < 2) return users[0] ?? null;
  if (users.join() === 'editing,money') return 'choices';
  return users.some((user) => user === 'tasks' || user === 'plain') ? 'pages' : 'forms';
}

/**
 * Groups of the bundler for them, imported ones first. A module of one page only stays in the
 * page's chunk.
 */
export const sharedByPages = ['pages', 'forms', 'choices', ...Object.keys(families)].map((file, at) => ({
  name: (id: string, graph: Graph) => (fileFor(id, graph) === file ? file : null),
  debugName: file,
  minShareCount: 2,
  priority: 2 - at / 10,
}));

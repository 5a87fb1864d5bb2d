// Which files the app's code comes in (vite.config.ts): few for each page, because every file that is asked for costs a slow line more
// than what is in it; and not one for all, because a page would wait for the code of others.
import { resolve } from 'node:path';
import { type AppPage, type AppPageName, appPages } from './src/app/pages.ts';

/** What the bundler tells of its modules. */
interface Graph {
  getModuleInfo(id: string): { importers: string[] } | null;
}

const fileOf = ({ module }: AppPage) => resolve(import.meta.dirname, `src/${module}.tsx`);
const pageFiles = new Set(Object.values(appPages).map(fileOf));

/** Pages that are built of much the same. */
const families = {
  tasks: ['dashboard', 'task'],
  wizard: ['wizard'],
  editing: ['edit'],
  money: ['movements'],
  settings: ['settings'],
  plain: ['bookingReceipt', 'receipt', 'payment', 'testSchedules', 'notFound'],
} as const satisfies Record<string, AppPageName[]>;

/** Whether a page begins with a module: imports it, by however many steps. */
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

/** The file of a module that pages begin with: that of the one family that does, or of several; null where none does. */
function fileFor(id: string, graph: Graph): string | null {
  if (pageFiles.has(id)) return null;
  const users = Object.entries(families)
    .filter(([, pages]) => pages.some((page) => beginsWith(fileOf(appPages[page]), id, graph)))
    .map(([family]) => family);
  if (users.length < 2) return users[0] ?? null;
  if (users.join() === 'editing,money') return 'choices';
  return users.some((user) => user === 'tasks' || user === 'plain') ? 'pages' : 'forms';
}

/** The bundler's groups for them, those first that others import. What one page alone begins with stays in its own file. */
export const sharedByPages = ['pages', 'forms', 'choices', ...Object.keys(families)].map((file, at) => ({
  name: (id: string, graph: Graph) => (fileFor(id, graph) === file ? file : null),
  debugName: file,
  minShareCount: 2,
  priority: 2 - at / 10,
}));

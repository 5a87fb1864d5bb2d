import { resolve } from 'node:path';

interface Modules {
  getModuleInfo: (id: string) => { importedIds: string[] } | null;
}

const REACT = /node_modules\/(?:react|react-dom|scheduler|react-is)\//;
const FORMS = /node_modules\/(?:zod|react-hook-form|@hookform)\//;
/**
 * The files that many pages share, so that few are asked for and each says what it is: `react`, `app` (what the app needs at once),
 * then `kit` and `account`. All else is split by who needs it.
 */
export function sharedFiles(root: string) {
  const roots = {
    app: ['src/app/main.tsx'],
    // Of what the app does not need at once, what nearly every page is built of.
    kit: ['TextField', 'PasswordField', 'Alert', 'Card', 'Badge'].map((name) => `src/shared/ui/${name}.tsx`),
    pay: ['src/features/card/main.tsx'],
  };
  const entries = new Set(roots.app.map((path) => resolve(root, path)));
  const closures = new Map<string, Set<string>>();
  const needs = (name: keyof typeof roots, id: string, modules: Modules) => {
    let closure = closures.get(name);
    if (!closure) {
      const found = new Set<string>();
      const visit = (one: string) => {
        if (found.has(one)) return;
        found.add(one);
        for (const next of modules.getModuleInfo(one)?.importedIds ?? []) visit(next);
      };
      for (const path of roots[name]) visit(resolve(root, path));
      closures.set(name, found);
      closure = found;
    }
    return closure.has(id);
  };
  const shared = (name: keyof typeof roots, priority: number) => ({
    name: (id: string, modules: Modules) =>
      needs(name, id, modules) && needs('app', id, modules) && !entries.has(id) ? name : null,
    priority,
  });
  const later = (name: keyof typeof roots, priority: number) => ({
    name: (id: string, modules: Modules) => (needs(name, id, modules) && !needs('app', id, modules) ? name : null),
    priority,
  });
  return [
    { name: (id: string) => (REACT.test(id) ? 'react' : null), priority: 9 },
    shared('pay', 7.5),
    shared('app', 5),
    later('kit', 4),
    { name: (id: string) => (FORMS.test(id) ? 'account' : null), priority: 3 },
  ];
}

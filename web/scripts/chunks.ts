import { resolve } from 'node:path';
import { type Area, areas } from '../src/shared/i18n/areas.ts';

interface Modules {
  getModuleInfo: (id: string) => { importedIds: string[] } | null;
}

const REACT = /node_modules\/(?:react|react-dom|scheduler|react-is)\//;
const FORMS = /node_modules\/(?:zod|react-hook-form|@hookform)\/|src\/forms\/schemas/;
const DIALOG = /node_modules\/@mui\/material\/Dialog/;
/** What comes alive on an open page when it is near, and what comes when the form is touched. */
const nearby: Area[] = ['showcase', 'gallery', 'contact', 'faq'];

/**
 * The files that many pages share, so that few are asked for and each says what it is: `react`; of what the app needs at once,
 * `base` is what the open pages need at once too, `parts` what their parts need that come alive near the screen, `form` what
 * the sign-up form needs, and `app` the rest; then `kit`, `account` and `dialog`. All else is split by who needs it.
 */
export function sharedFiles(root: string) {
  const roots = {
    base: ['src/app/open/client.tsx'],
    parts: nearby.map((area) => areas[area]),
    form: [areas.signUp, 'src/shared/api/methods.ts'],
    app: [areas.app],
    // Of what the app does not need at once, what nearly every page is built of.
    kit: ['TextField', 'PasswordField', 'Alert', 'Card', 'Badge'].map((name) => `src/shared/ui/${name}.tsx`),
    pay: [areas.pay],
  };
  const facts = resolve(root, 'src/shared/api/facts.tsx');
  const entries = new Set([...roots.base, ...roots.app].map((path) => resolve(root, path)));
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
    name: (id: string, modules: Modules) =>
      needs(name, id, modules) && !needs('app', id, modules) && !needs('base', id, modules) ? name : null,
    priority,
  });
  return [
    { name: (id: string) => (REACT.test(id) ? 'react' : null), priority: 9 },
    // Known to the open pages and to parts of the app, but not to all of it.
    { name: (id: string) => (id === facts ? 'facts' : null), priority: 8 },
    shared('base', 8),
    shared('pay', 7.5),
    shared('parts', 7),
    shared('form', 6),
    shared('app', 5),
    later('kit', 4),
    { name: (id: string) => (FORMS.test(id) ? 'account' : null), priority: 3 },
    { name: (id: string) => (DIALOG.test(id) ? 'dialog' : null), priority: 2 },
  ];
}

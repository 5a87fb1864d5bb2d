/** Storage keys that show that a user is, or lately was, signed in (api/tokens.ts). */
const traces = ['sooner.refresh', 'sooner.access'];
let restoring: Promise<void> | null = null;

function hasSessionTraces(): boolean {
  try {
    return traces.some((key) => localStorage.getItem(key) !== null || sessionStorage.getItem(key) !== null);
  } catch {
    return false;
  }
}

/** Restores the session. If its code fails to load, the next call tries again. */
function restoreSession(): Promise<void> {
  restoring ??= Promise.all([import('../../shared/api/session.ts'), import('../clearUserData.ts')])
    .then(([{ onLogout, startSession }, { clearUserData }]) => {
      onLogout(clearUserData);
      return startSession();
    })
    .catch((error: unknown) => {
      restoring = null;
      throw error;
    });
  return restoring;
}

/**
 * Restores the session if there is one. For guests the code is not loaded. A sign-in in another tab
 * counts.
 */
export async function restoreMember(): Promise<void> {
  if (hasSessionTraces()) await restoreSession();
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== null && traces.includes(key) && newValue !== null) restoreSession().catch(() => undefined);
  });
}

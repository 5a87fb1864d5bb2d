/** Storage keys that exist if a user is signed in or was recently (api/tokens.ts). */
const traces = ['sooner.refresh', 'sooner.access'];
let restoring: Promise<void> | null = null;

function hasSessionTraces(): boolean {
  try {
    return traces.some((key) => localStorage.getItem(key) !== null || sessionStorage.getItem(key) !== null);
  } catch {
    return false;
  }
}

/** Restores the session. If its code fails to load, the next call retries. */
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
 * Restores the session if stored data exists, else does not load its code. Also restores it when
 * the user signs in in another tab.
 */
export async function restoreMember(): Promise<void> {
  if (hasSessionTraces()) await restoreSession();
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== null && traces.includes(key) && newValue !== null) restoreSession().catch(() => undefined);
  });
}

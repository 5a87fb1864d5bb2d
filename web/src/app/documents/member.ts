/** Storage keys that show that a user is, or lately was, signed in (api/tokens.ts). */
const traces = ['sooner.refresh', 'sooner.access'];
let meeting: Promise<void> | null = null;

function signedInLately(): boolean {
  try {
    return traces.some((key) => localStorage.getItem(key) !== null || sessionStorage.getItem(key) !== null);
  } catch {
    return false;
  }
}

/** Restores the session. If its code fails to load, the next call tries again. */
function meet(): Promise<void> {
  meeting ??= Promise.all([import('../../shared/api/session.ts'), import('../forgetPerson.ts')])
    .then(([{ onLogout, startSession }, { forgetPerson }]) => {
      onLogout(forgetPerson);
      return startSession();
    })
    .catch((error: unknown) => {
      meeting = null;
      throw error;
    });
  return meeting;
}

/**
 * Restores the session if there is one. For guests the code is not loaded. A sign-in in another tab
 * counts.
 */
export async function meetMember(): Promise<void> {
  if (signedInLately()) await meet();
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== null && traces.includes(key) && newValue !== null) meet().catch(() => undefined);
  });
}

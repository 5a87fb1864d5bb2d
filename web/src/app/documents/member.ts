/** What says that somebody is, or lately was, signed in here: keys of api/tokens.ts. */
const traces = ['sooner.refresh', 'sooner.access'];
let meeting: Promise<void> | null = null;

function signedInLately(): boolean {
  try {
    return traces.some((key) => localStorage.getItem(key) !== null || sessionStorage.getItem(key) !== null);
  } catch {
    return false;
  }
}

/** Restores the session; the next call tries again where its code did not come. */
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

/** Restores the session where there is one: on behalf of guests its code is not asked for. A sign-in in another tab counts. */
export async function meetMember(): Promise<void> {
  if (signedInLately()) await meet();
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== null && traces.includes(key) && newValue !== null) meet().catch(() => undefined);
  });
}

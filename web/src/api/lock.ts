const LEASE_MS = 10_000;
const POLL_MS = 60;

/** Runs `work` in one tab at a time. Plain http has no `navigator.locks`: there a lease in localStorage does, well enough. */
export async function withTabLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (typeof navigator !== 'undefined' && navigator.locks) return navigator.locks.request(name, () => work());
  const key = `sooner.lock.${name}`;
  const mine = Math.random().toString(36).slice(2);
  const giveUpAt = Date.now() + LEASE_MS;
  while (Date.now() < giveUpAt) {
    const [holder, until] = (localStorage.getItem(key) ?? '').split('|');
    if (!holder || Number(until) < Date.now()) {
      localStorage.setItem(key, `${mine}|${Date.now() + LEASE_MS}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS / 2));
      if (localStorage.getItem(key)?.startsWith(mine)) break;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  try {
    return await work();
  } finally {
    if (localStorage.getItem(key)?.startsWith(mine)) localStorage.removeItem(key);
  }
}

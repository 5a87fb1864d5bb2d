const LEASE_MS = 10_000;
const POLL_MS = 60;
/**
 * Delay between writing a lease and reading it again. Within this time another tab may overwrite
 * the lease.
 */
const SETTLE_MS = 150;

const lastWork = new Map<string, Promise<void>>();

/** Runs `work` after all earlier work of this tab with the same `name`. */
function enqueue<T>(name: string, work: () => Promise<T>): Promise<T> {
  const mine = (lastWork.get(name) ?? Promise.resolve()).then(work);
  const settled = mine.then(
    () => undefined,
    () => undefined,
  );
  lastWork.set(name, settled);
  return mine;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs `work` under a lease in localStorage, for browsers without `navigator.locks`, such as on
 * plain HTTP. With blocked storage it runs `work` without a lease, because no other tab shares the
 * data.
 */
async function withLease<T>(name: string, work: () => Promise<T>): Promise<T> {
  const key = `sooner.lock.${name}`;
  const mine = Math.random().toString(36).slice(2);
  try {
    for (let waited = 0; waited < LEASE_MS; waited += POLL_MS) {
      const [holder, until] = (localStorage.getItem(key) ?? '').split('|');
      const left = Number(until) - Date.now();
      // A longer remaining time than `LEASE_MS` means that the clock was set back after the lease
      // was written.
      if (!holder || left <= 0 || left > LEASE_MS) {
        localStorage.setItem(key, `${mine}|${Date.now() + LEASE_MS}`);
        await sleep(SETTLE_MS);
        if (localStorage.getItem(key)?.startsWith(mine)) break;
      }
      await sleep(POLL_MS);
    }
  } catch {
    return work();
  }
  try {
    return await work();
  } finally {
    if (localStorage.getItem(key)?.startsWith(mine)) localStorage.removeItem(key);
  }
}

/** Runs `work` in one tab at a time, and one after another within a tab. */
export function withTabLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  return enqueue(name, async () => {
    if (typeof navigator === 'undefined' || !navigator.locks) return withLease(name, work);
    let begun = false;
    try {
      return await navigator.locks.request(name, () => {
        begun = true;
        return work();
      });
    } catch (error) {
      // Browsers that block storage reject locks too.
      if (begun) throw error;
      return withLease(name, work);
    }
  });
}

const LEASE_MS = 10_000;
const POLL_MS = 60;
/**
 * Delay between writing a lease and reading it again, after which a tab of another process has seen
 * it.
 */
const SETTLE_MS = 150;

const lastWork = new Map<string, Promise<void>>();

/** Runs `work` after all earlier work of this tab under `name`. */
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
 * Plain HTTP has no `navigator.locks`. A lease in localStorage replaces it well enough. With
 * blocked storage no other tab is reachable.
 */
async function withLease<T>(name: string, work: () => Promise<T>): Promise<T> {
  const key = `sooner.lock.${name}`;
  const mine = Math.random().toString(36).slice(2);
  try {
    for (let waited = 0; waited < LEASE_MS; waited += POLL_MS) {
      const [holder, until] = (localStorage.getItem(key) ?? '').split('|');
      const left = Number(until) - Date.now();
      // A lease that ends later than its length allows was written before the clock was set back.
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
      // Browsers that block storage refuse locks too.
      if (begun) throw error;
      return withLease(name, work);
    }
  });
}

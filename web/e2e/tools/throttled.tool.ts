import { type Browser, type Page, test } from '@playwright/test';
import { readReady } from '../support/ready.ts';
import { quantile } from './numbers.ts';
import { signInToDemo } from './tour.ts';
import { startMany } from './watcher.ts';

const ROUNDS = Number(process.env.SOONER_ROUNDS ?? 5);
/**
 * Network and processor of an average phone on a slow connection. The performance targets apply to
 * such a phone.
 */
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const CPU_SLOWDOWN = 4;
/** Number of tasks of the measured account. */
const TASKS = 10;
const VIEWPORT = { width: 360, height: 800 };
const asGuest = { locale: 'zh-CN', serviceWorkers: 'block', viewport: VIEWPORT } as const;

interface Marks {
  /** Largest contentful paint, in ms since the start of the navigation. */
  lcp: number;
  /** Total blocking time: the sum of the parts of tasks beyond 50 ms, in ms. */
  tbt: number;
  /** Time at which an element of the selector first existed, in ms, or NaN without a selector. */
  usable: number;
  /** Transferred scripts, in kB. */
  script: number;
}

function watch(wanted: string): void {
  // Removes the mark that Inter is loaded (shared/theme/letters.ts), because the cache is empty.
  localStorage.removeItem('sooner.letters');
  const marks = { lcp: 0, tbt: 0, usable: Number.NaN };
  Object.assign(window, { marks });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) marks.lcp = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) marks.tbt += Math.max(0, entry.duration - 50);
  }).observe({ type: 'longtask', buffered: true });
  if (!wanted) return;
  const look = () => {
    if (document.querySelector(wanted)) marks.usable = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

/**
 * Slows down the network and the processor for a page, and empties its cache. Returns a function
 * that undoes it.
 */
async function slowDown(page: Page): Promise<() => Promise<void>> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.clearBrowserCache');
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', LINE);
  await client.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return () => client.detach();
}

/** Measures an address with an empty cache on a slow connection, until loading ends. */
async function once(page: Page, address: string): Promise<Marks> {
  // Opens an empty page first. Otherwise the measurement would include unloading the previous page.
  await page.goto('about:blank');
  const undo = await slowDown(page);
  await page.goto(address, { waitUntil: 'load', timeout: 60_000 });
  await page.waitForTimeout(5_000);
  const marks = await page.evaluate(() => {
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const bytes = files.filter((file) => file.name.includes('.js')).reduce((sum, file) => sum + file.encodedBodySize, 0);
    return { ...(Reflect.get(window, 'marks') as { lcp: number; tbt: number; usable: number }), script: bytes / 1_000 };
  });
  // Chromium slows a page down by keeping a processor busy, which would affect the next page.
  await undo();
  return marks;
}

async function measure(page: Page, address: string, wanted = ''): Promise<void> {
  const watching = await page.addInitScript(watch, wanted);
  const found: Marks[] = [];
  for (let round = 0; round < ROUNDS; round += 1) found.push(await once(page, address));
  const middle = (of: (marks: Marks) => number) => quantile(found.map(of), 0.5);
  const usable = wanted ? `  usable ${middle((m) => m.usable).toFixed(0)} ms` : '';
  console.log(
    `${address.padEnd(18)} LCP ${middle((m) => m.lcp).toFixed(0)} ms  TBT ${middle((m) => m.tbt).toFixed(0)} ms  ` +
      `script ${middle((m) => m.script).toFixed(1)} kB${usable}  (n=${found.length})`,
  );
  await watching.dispose();
}

const visitor = (browser: Browser) => browser.newPage({ baseURL: readReady().url, ...asGuest });

async function measureAsGuest(browser: Browser, address: string, wanted?: string): Promise<void> {
  const page = await visitor(browser);
  await measure(page, address, wanted);
  await page.close();
}

test('throttled: pages that need no sign-in', async ({ browser }) => {
  for (const address of ['/', '/faq', '/privacy', '/status']) await measureAsGuest(browser, address);
  for (const address of ['/auth/login', '/auth/register']) await measureAsGuest(browser, address, 'input[type="email"]');
});

test('throttled: pages of the app, with a cold cache', async ({ browser }) => {
  const page = await visitor(browser);
  const ready = readReady();
  const task = await signInToDemo(page, ready);
  // One task already exists, and has booked.
  await startMany(page, ready, TASKS - 1);
  await measure(page, '/dashboard', 'article');
  await measure(page, `/schedule/${task}`, 'main h1');
  await measure(page, '/settings', 'main h1');
  await measure(page, '/schedule/wizard', 'main input');
});

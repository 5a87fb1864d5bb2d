import { type Browser, type Page, test } from '@playwright/test';
import { readReady } from '../support/ready.ts';
import { quantile } from './numbers.ts';
import { signInToDemo } from './tour.ts';
import { startMany } from './watcher.ts';

const ROUNDS = Number(process.env.SOONER_ROUNDS ?? 5);
/** A medium phone on a slow connection. The targets apply to it. */
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const CPU_SLOWDOWN = 4;
/** Number of tasks of the account that the targets apply to. */
const TASKS = 10;
const VIEWPORT = { width: 360, height: 800 };
const asGuest = { locale: 'zh-CN', serviceWorkers: 'block', viewport: VIEWPORT } as const;

interface Marks {
  /** Largest contentful paint, in ms since the navigation began. */
  lcp: number;
  /** Sum of the task times over 50 ms each, in ms. */
  tbt: number;
  /** When an element of the selector first existed, in ms, or NaN without a selector. */
  usable: number;
  /** Scripts as transferred, in kB. */
  script: number;
}

function watch(wanted: string): void {
  // With an empty cache Inter is missing too, whatever an earlier page has stored
  // (shared/theme/letters.ts).
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
 * Slows connection and processor down for the page, and empties its cache. Returns a function that
 * undoes it.
 */
async function slowDown(page: Page): Promise<() => Promise<void>> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.clearBrowserCache');
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', LINE);
  await client.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return () => client.detach();
}

/** Opens the address with an empty cache on a slow connection, and waits until loading ends. */
async function once(page: Page, address: string): Promise<Marks> {
  // A visitor has no page of the site open. Unloading one would count into the next measurement.
  await page.goto('about:blank');
  const undo = await slowDown(page);
  await page.goto(address, { waitUntil: 'load', timeout: 60_000 });
  await page.waitForTimeout(5_000);
  const marks = await page.evaluate(() => {
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const bytes = files.filter((file) => file.name.includes('.js')).reduce((sum, file) => sum + file.encodedBodySize, 0);
    return { ...(Reflect.get(window, 'marks') as { lcp: number; tbt: number; usable: number }), script: bytes / 1_000 };
  });
  // Chromium slows a page down by keeping a processor busy, which would affect later pages.
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
  // One exists already, and has booked.
  await startMany(page, ready, TASKS - 1);
  await measure(page, '/dashboard', 'article');
  await measure(page, `/schedule/${task}`, 'main h1');
  await measure(page, '/settings', 'main h1');
  await measure(page, '/schedule/wizard', 'main input');
});

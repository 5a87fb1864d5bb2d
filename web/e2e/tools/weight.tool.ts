import { type Browser, type Page, test } from '@playwright/test';
import { scripts, untilAlive } from '../support/openPage.ts';
import { readReady } from '../support/ready.ts';
import { signInToDemo } from './tour.ts';

const WIDTHS = [360, 1280];

// The service worker is blocked, because its responses are counted without compression.
const asGuest = { locale: 'zh-CN', serviceWorkers: 'block' } as const;

async function open(browser: Browser, address: string, width: number): Promise<Page> {
  const page = await browser.newPage({ baseURL: readReady().url, ...asGuest, viewport: { width, height: 800 } });
  await page.goto(address, { waitUntil: 'load' });
  return page;
}

/**
 * Reports the loaded files once no more files load. Videos keep loading, so the network is never
 * idle.
 */
async function logWeight(page: Page, what: string): Promise<void> {
  let seen = await scripts(page);
  for (let quiet = 0; quiet < 6; ) {
    await page.waitForTimeout(250);
    const now = await scripts(page);
    quiet = now.files === seen.files ? quiet + 1 : 0;
    seen = now;
  }
  console.log(`${what.padEnd(44)} ${(seen.bytes / 1_000).toFixed(1).padStart(6)} kB in ${seen.files} files`);
}

// Reports the transferred bytes of scripts in a browser, for comparison with the build's values
// (scripts/bundles.mjs).
test('weight: scripts of the open pages', async ({ browser }) => {
  for (const width of WIDTHS)
    for (const address of ['/', '/faq', '/privacy']) {
      const page = await open(browser, address, width);
      await logWeight(page, `${address} ${width}, untouched`);
      await page.mouse.move(3, 400);
      await untilAlive(page);
      await logWeight(page, `${address} ${width}, touched`);
      if (address === '/') {
        await page.locator('input[name="email"]').focus();
        await logWeight(page, `${address} ${width}, form touched`);
        for (let y = 0; y < 12_000; y += 400) {
          await page.evaluate((top) => window.scrollTo({ top, behavior: 'instant' }), y);
          await page.waitForTimeout(50);
        }
        await logWeight(page, `${address} ${width}, scrolled to its end`);
      }
      await page.close();
    }
});

test('weight: scripts of the app', async ({ browser }) => {
  const ready = readReady();
  const page = await browser.newPage({ baseURL: ready.url, ...asGuest, viewport: { width: 360, height: 800 } });
  await page.goto('/auth/login', { waitUntil: 'load' });
  await logWeight(page, '/auth/login');
  await signInToDemo(page, ready);
  for (const address of ['/dashboard', '/schedule/wizard', '/balance', '/settings', '/status', '/faq']) {
    await page.goto(address, { waitUntil: 'load' });
    await logWeight(page, address);
  }
  await page.close();
});

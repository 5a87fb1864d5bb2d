import type { Page } from '@playwright/test';

/**
 * Waits until a page is interactive: React has rendered the app, or all islands that load at the
 * first touch have loaded.
 */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const root = document.getElementById('root');
    if (root !== null) return Object.keys(root).some((key) => key.startsWith('__reactContainer'));
    const waiting = [...document.querySelectorAll('astro-island[ssr]')];
    return waiting.every((island) => /"(?:near|here)"/.test(island.getAttribute('opts') ?? ''));
  });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Records the layout shifts of the page, which `shifted` sums up. */
export async function holdStill(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Reflect.get(entry, 'value') as number);
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Returns the sum of the page's layout shifts (CLS). */
export const shifted = (page: Page): Promise<number> =>
  page.evaluate(() => (Reflect.get(window, 'shifts') as number[]).reduce((sum, one) => sum + one, 0));

/** Returns the positions of all elements of the page. */
export const places = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body :not(script, style, astro-island)')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return `${element.tagName} ${[x, y, width, height].map((one) => one.toFixed(1)).join(' ')}`;
    }),
  );

/** Returns the number and the transferred bytes of the scripts that the page has loaded. */
export const scripts = (page: Page): Promise<{ files: number; bytes: number }> =>
  page.evaluate(() => {
    const loaded = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) =>
      new URL(name).pathname.endsWith('.js'),
    );
    const bytes = loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return { files: loaded.length, bytes };
  });

/**
 * Returns the largest difference of a colour channel (0 to 255) between two screenshots of equal
 * size. A difference of one may occur at rounded corners, and is invisible.
 */
export const strongestDifference = (page: Page, before: Buffer, after: Buffer): Promise<number> =>
  page.evaluate(
    async (pictures) => {
      const [one, other] = await Promise.all(
        pictures.map(async (text) => {
          const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d') as OffscreenCanvasRenderingContext2D;
          context.drawImage(bitmap, 0, 0);
          return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
        }),
      );
      if (!one || !other || one.length !== other.length) return 255;
      return one.reduce((most, level, index) => Math.max(most, Math.abs(level - (other[index] ?? 0))), 0);
    },
    [before.toString('base64'), after.toString('base64')],
  );

import type { Page } from '@playwright/test';

/** Waits until an open page is alive: React has its root, or its islands that wait for any touch, and a frame has passed. */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const root = document.getElementById('root');
    if (root !== null) return Object.keys(root).some((key) => key.startsWith('__reactContainer'));
    const waiting = [...document.querySelectorAll('astro-island[ssr]')];
    return waiting.every((island) => /"(?:near|here)"/.test(island.getAttribute('opts') ?? ''));
  });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Asks that nothing moves by itself: a page that is looked at twice must have only one look. */
export async function holdStill(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Reflect.get(entry, 'value') as number);
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** How far things have moved on the screen by themselves, as CLS counts it. */
export const shifted = (page: Page): Promise<number> =>
  page.evaluate(() => (Reflect.get(window, 'shifts') as number[]).reduce((sum, one) => sum + one, 0));

/** Where everything of the page stands. */
export const places = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body :not(script, style, astro-island)')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return `${element.tagName} ${[x, y, width, height].map((one) => one.toFixed(1)).join(' ')}`;
    }),
  );

/** Scripts the page has loaded so far: how many, and their bytes as they came over the line. */
export const scripts = (page: Page): Promise<{ files: number; bytes: number }> =>
  page.evaluate(() => {
    const loaded = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) =>
      new URL(name).pathname.endsWith('.js'),
    );
    const bytes = loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return { files: loaded.length, bytes };
  });

/**
 * The largest difference of a colour channel (0 to 255) between two screenshots of one size. A border's rounded corner may come out
 * one level lighter when its layer is drawn anew, which nobody sees.
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

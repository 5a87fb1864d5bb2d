import type { Page } from '@playwright/test';

/**
 * Returns the controls whose area is smaller than `wanted` px, with width and height. Fingers need
 * 44 px and a mouse 24 px. It measures from the middle of the control in all directions. With a
 * mouse, links within a sentence are exempt.
 */
export const smallTargets = (page: Page, wanted: 24 | 44 = 44): Promise<string[]> =>
  page.evaluate((WANTED) => {
    const isInSentence = (element: HTMLElement) =>
      element.tagName === 'A' &&
      getComputedStyle(element).display === 'inline' &&
      (element.parentElement?.textContent?.trim().length ?? 0) > (element.textContent?.trim().length ?? 0);
    const small: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>('a[href], button, input, select, summary')) {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.matches(':disabled')) continue;
      if (WANTED < 44 && isInSentence(element)) continue;
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      // A link over two lines is measured at its longer line.
      const boxes = [...element.getClientRects()].sort((a, b) => b.width - a.width);
      const [box] = boxes;
      if (!box || box.width < 2 || box.height < 2) continue;
      const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      const hits = (x: number, y: number) => {
        const hit = document.elementFromPoint(x, y);
        return hit !== null && (element.contains(hit) || hit.closest('label')?.control === element);
      };
      // Skips a covered element, such as the skip link below the header.
      if (!hits(middle.x, middle.y)) continue;
      const reach = (dx: number, dy: number) => {
        let steps = 0;
        while (steps < WANTED && hits(middle.x + dx * (steps + 1), middle.y + dy * (steps + 1))) steps += 1;
        return steps;
      };
      const width = reach(-1, 0) + reach(1, 0) + 1;
      const height = reach(0, -1) + reach(0, 1) + 1;
      // Tolerates a pixel at either end, which may belong to another element.
      const least = WANTED < 44 ? WANTED - 1 : WANTED - 2;
      if (width < least || height < least)
        small.push(`${element.textContent?.trim() || element.ariaLabel || element.getAttribute('name')}: ${width} x ${height}`);
    }
    return small;
  }, wanted);

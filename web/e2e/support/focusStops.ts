import type { Page } from '@playwright/test';

/**
 * Focuses all controls of the page one after another, and returns those that are then under another
 * element or outside of the window. The page scrolls as for the Tab key.
 */
export const hiddenStops = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const hidden: string[] = [];
    const takesFocus = async (element: HTMLElement): Promise<boolean> => {
      element.blur();
      element.focus();
      // The skip link needs a second frame to appear.
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return document.activeElement === element;
    };
    /** Returns what is over the element, or null. */
    const coverOf = (element: HTMLElement): string | null => {
      // A link over two lines is checked at its first line.
      const [box] = element.getClientRects();
      if (!box || box.width < 2 || box.height < 2) return null;
      // A scrolling area that is higher than the window cannot be seen at once.
      if (box.height > window.innerHeight / 2) return null;
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, 24));
      if (hit === null) return 'the edge';
      const isOwn = element.contains(hit) || hit.contains(element) || hit.closest('label')?.control === element;
      return isOwn ? null : `${hit.tagName} ${hit.textContent?.trim().slice(0, 30)}`;
    };
    const wanted = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    for (const element of document.querySelectorAll<HTMLElement>(wanted)) {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (element.matches(':disabled') || element.tabIndex < 0 || element.closest('[inert]')) continue;
      if (!(await takesFocus(element))) continue;
      // Content above that arrives meanwhile moves the element, so it gets a second try.
      const over = coverOf(element) && (await takesFocus(element)) && coverOf(element);
      const name = `${element.tagName} ${element.textContent?.trim().slice(0, 30) || element.ariaLabel || element.id}`;
      if (over) hidden.push(`${name}: under ${over}`);
    }
    return hidden;
  });

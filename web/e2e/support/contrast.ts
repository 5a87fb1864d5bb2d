import type { Page } from '@playwright/test';
import { contrast, pairs } from '../../src/shared/theme/contrast.ts';
import { tokensOf } from '../../src/shared/theme/tokens.ts';

/** Text on a page with its colour and the colour behind it, both opaque, as `#rrggbb`. */
export interface Seen {
  text: string;
  where: string;
  ink: string;
  /** Colours of the background behind the text. A hatched background has several. */
  grounds: string[];
  /**
   * True for text of 24 px, or of 18.66 px in bold. WCAG requires a ratio of 3 for it, else of 4.5.
   */
  large: boolean;
}

/**
 * Runs in the page. Returns all texts, including those of SVG, fields and placeholders, with the
 * colours that are painted behind them.
 */
function walk(): Seen[] {
  type Colour = [red: number, green: number, blue: number, alpha: number];
  const clear: Colour = [0, 0, 0, 0];
  const parse = (text: string): Colour => {
    const numbers = text.match(/-?[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [];
    if (text.startsWith('color(srgb')) {
      const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
      return [red * 255, green * 255, blue * 255, alpha];
    }
    const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
    return text.startsWith('rgb') ? [red, green, blue, alpha] : clear;
  };
  const over = (top: Colour, under: Colour, opacity = 1): Colour => {
    const alpha = top[3] * opacity;
    const mix = (at: 0 | 1 | 2) => top[at] * alpha + under[at] * (1 - alpha);
    return [mix(0), mix(1), mix(2), 1];
  };
  const hex = (colour: Colour) =>
    `#${colour
      .slice(0, 3)
      .map((part) => Math.round(part).toString(16).padStart(2, '0'))
      .join('')}`;
  const opacityOf = (element: Element): number => {
    let opacity = 1;
    for (let at: Element | null = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    return opacity;
  };
  /** Returns the background of an element: nothing, a colour, or the colours of a gradient. */
  const painted = (element: Element): Colour[] => {
    const style = getComputedStyle(element);
    if (element instanceof SVGGeometryElement) {
      const fill = parse(style.fill);
      return style.fill === 'none' ? [clear] : [[fill[0], fill[1], fill[2], fill[3] * Number(style.fillOpacity)]];
    }
    const ground = parse(style.backgroundColor);
    const stops = style.backgroundImage.includes('gradient(')
      ? [...style.backgroundImage.matchAll(/rgba?\([^)]*\)|color\(srgb[^)]*\)|transparent/g)].map(([stop]) => parse(stop))
      : [];
    return stops.length === 0 ? [ground] : stops.map((stop) => (ground[3] === 0 ? stop : over(stop, ground)));
  };
  /** Returns all elements at a point, from the text's own element back to the page. */
  const under = (element: Element, x: number, y: number): Element[] => {
    const stack = document.elementsFromPoint(x, y);
    const at = stack.indexOf(element);
    if (at >= 0) return stack.slice(at);
    const chain: Element[] = [];
    for (let up: Element | null = element; up; up = up.parentElement) chain.push(up);
    return chain;
  };
  const groundsOf = (element: Element, x: number, y: number): Colour[] => {
    const layers: [Element, Colour[]][] = [];
    for (const layer of under(element, x, y)) {
      const colours = painted(layer);
      layers.push([layer, colours]);
      if (colours.every((colour) => colour[3] === 1)) break;
    }
    let grounds: Colour[] = [parse(getComputedStyle(document.body).backgroundColor)];
    for (const [layer, colours] of layers.toReversed())
      grounds = grounds.flatMap((ground) => colours.map((colour) => over(colour, ground, opacityOf(layer))));
    return grounds;
  };
  /** Returns whether an element is clipped to a point, so that only screen readers present it. */
  const onlySpoken = (element: Element): boolean => {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const { width, height } = at.getBoundingClientRect();
      if (width <= 1 && height <= 1 && getComputedStyle(at).overflow === 'hidden') return true;
    }
    return false;
  };
  const seen: Seen[] = [];
  const add = (element: Element, text: string, colour: string, box: DOMRect) => {
    if (box.width < 2 || box.height < 2 || !text.trim()) return;
    const style = getComputedStyle(element);
    if (style.visibility === 'hidden' || element.closest('[inert], [aria-hidden="true"] [inert]')) return;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const grounds = groundsOf(element, x, y);
    const opacity = opacityOf(element);
    if (opacity === 0 || onlySpoken(element)) return;
    const first = grounds[0] ?? clear;
    const size = Number.parseFloat(style.fontSize);
    seen.push({
      text: text.trim().slice(0, 40),
      where: `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ''} ${Math.round(x)},${Math.round(y)}`,
      ink: hex(over(parse(colour), first, opacity)),
      grounds: [...new Set(grounds.map(hex))],
      large: size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700),
    });
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    if (!element || ['SCRIPT', 'STYLE', 'NOSCRIPT', 'TITLE'].includes(element.tagName)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const style = getComputedStyle(element);
    const isShape = element instanceof SVGElement;
    // Uses the box of the first line. The middle of a wrapped text may be beside its letters.
    add(element, node.textContent ?? '', isShape ? style.fill : style.color, range.getClientRects()[0] ?? new DOMRect());
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input:not([type=hidden]), textarea')) {
    if (['checkbox', 'radio', 'file'].includes(field.type)) continue;
    const box = field.getBoundingClientRect();
    if (field.value) add(field, field.value, getComputedStyle(field).color, box);
    else add(field, field.placeholder, getComputedStyle(field, '::placeholder').color, box);
  }
  return seen;
}

/** Maximum height of the viewport, enough for twenty tasks on a phone. */
const TALLEST = 32_000;

const known = (dark: boolean): Set<string> => {
  const tokens = tokensOf(dark ? 'dark' : 'light');
  return new Set(
    pairs.filter((pair) => pair.kind === 'text').map((pair) => `${tokens[pair.ink]} ${tokens[pair.ground]}`.toLowerCase()),
  );
};

/**
 * Returns the texts with too little contrast, the texts whose colours are not a pair of the theme's
 * list, and the lowest ratio.
 */
export async function textContrast(page: Page, dark: boolean): Promise<{ faint: string[]; unlisted: string[]; lowest: number }> {
  // The background is known only for visible points, so the viewport becomes as high as the page.
  const before = page.viewportSize();
  if (before) {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width: before.width, height: Math.min(Math.max(height, before.height), TALLEST) });
  }
  const seen = await page.evaluate(walk);
  if (before) await page.setViewportSize(before);
  const listed = known(dark);
  const faint: string[] = [];
  const unlisted: string[] = [];
  let lowest = 21;
  for (const { text, where, ink, grounds, large } of seen) {
    const ratio = Math.min(...grounds.map((ground) => contrast(ink, ground)));
    lowest = Math.min(lowest, ratio);
    const problem = `"${text}" (${where}): ${ink} on ${grounds.join(', ')} = ${ratio.toFixed(2)}`;
    if (ratio < (large ? 3 : 4.5)) faint.push(problem);
    // A hatched background mixes colours. Its contrast is checked, but its pairs are not in the
    // list.
    else if (grounds.length === 1 && !listed.has(`${ink} ${grounds[0]}`)) unlisted.push(problem);
  }
  return { faint, unlisted, lowest };
}

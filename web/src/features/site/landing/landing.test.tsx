import { readFileSync } from 'node:fs';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Frame } from '../../../../mock/Frame.tsx';
import { demoStory } from '../../../parts/productExample/demoStory.ts';
import { type Facts, FactsProvider } from '../../../shared/api/facts.tsx';
import { i18nReady } from '../../../shared/i18n/i18n.ts';
import { galleryItems, gallerySource } from '../galleryItems.ts';
import { enhance } from './enhance.ts';
import { FeatureList } from './FeatureList.tsx';
import { films } from './filmFacts.ts';
import { Gallery } from './Gallery.tsx';
import { HeroIntro } from './HeroIntro.tsx';
import { HeroProduct } from './HeroProduct.tsx';
import { Showcase } from './Showcase.tsx';

// Long timeouts for slow machines.
vi.setConfig({ testTimeout: 60_000 });
configure({ asyncUtilTimeout: 30_000 });

const t = i18next.t.bind(i18next);
/**
 * Elements observed by an IntersectionObserver, each with a function that makes it visible or
 * invisible.
 */
let watched: { target: Element; tell: (isIntersecting: boolean) => void }[];
let stillness: boolean;

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  watched = [];
  stillness = false;
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(private readonly react: (entries: { isIntersecting: boolean; target: Element }[]) => void) {}
      observe(target: Element) {
        watched.push({ target, tell: (isIntersecting) => this.react([{ isIntersecting, target }]) });
      }
      unobserve() {}
      disconnect() {}
    },
  );
  const never = () => undefined;
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: stillness && query.includes('reduced-motion'),
    addEventListener: never,
    removeEventListener: never,
  }));
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const shown = (part: ReactNode, facts: Facts = {}) =>
  render(
    <Frame>
      <FactsProvider facts={facts}>{part}</FactsProvider>
    </Frame>,
  );
const onScreen = (isIntersecting: boolean) => act(() => watched.forEach((one) => void one.tell(isIntersecting)));

describe('the video of the landing page', () => {
  /** Renders the video with the functions that jsdom lacks. */
  function film() {
    let paused = true;
    const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(function (this: HTMLMediaElement) {
      paused = false;
      fireEvent(this, new Event('play'));
      return Promise.resolve();
    });
    vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(function (this: HTMLMediaElement) {
      paused = true;
      fireEvent(this, new Event('pause'));
    });
    vi.spyOn(HTMLMediaElement.prototype, 'paused', 'get').mockImplementation(() => paused);
    const { container } = shown(<Showcase />);
    const video = container.querySelector('video') as HTMLVideoElement;
    return { video, play, at: (second: number) => fireEvent.timeUpdate(Object.assign(video, { currentTime: second })) };
  }
  const step = () => document.querySelector('ol [class*="on"] h3')?.textContent;

  // spec: 2.2.11
  it('plays muted and in a loop while it is visible, and stays paused after the user pauses it', () => {
    const { video, play } = film();
    expect([video.muted, video.loop, video.playsInline, video.preload]).toEqual([true, true, true, 'none']);
    expect(play).not.toHaveBeenCalled();
    onScreen(true);
    expect(play).toHaveBeenCalledOnce();
    onScreen(false);
    expect(video.paused).toBe(true);
    onScreen(true);
    fireEvent.click(screen.getByRole('button', { name: t('showcase.filmPause') }));
    expect(video.paused).toBe(true);
    onScreen(false);
    onScreen(true);
    expect(video.paused).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: t('showcase.filmPlay') }));
    expect(video.paused).toBe(false);
  });

  // spec: 2.2.11
  it('does not start by itself with reduced motion', () => {
    stillness = true;
    const { video, play } = film();
    onScreen(true);
    expect(play).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: t('showcase.filmPlay') }));
    expect(video.paused).toBe(false);
  });

  // spec: 2.2.11
  it('follows the three steps with a caption, and jumps to a chosen step', () => {
    const { video, at } = film();
    const { chapters, cues } = films.en.wide;
    expect(step()).toBe(t('showcase.step3'));
    at(0.1);
    expect(step()).toBe(t('showcase.step1'));
    expect(screen.getByText(t('showcase.cue.login'))).toBeTruthy();
    at((chapters[1] ?? 0) + 0.1);
    expect(step()).toBe(t('showcase.step2'));
    at((cues.at(-1)?.[0] ?? 0) + 0.1);
    expect(screen.getByText(t('showcase.cue.booked'))).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: t('showcase.filmPart', { step: t('showcase.step2') }) }));
    expect(video.currentTime).toBe(chapters[1]);
    expect(step()).toBe(t('showcase.step2'));
  });

  it('has a poster without scripts, captions and an equivalent text', () => {
    const { video } = film();
    const still = video.parentElement?.querySelector('img') as HTMLImageElement;
    expect([still.getAttribute('src'), still.getAttribute('loading')]).toEqual(['/film/en-wide.webp', 'lazy']);
    expect(video.querySelector('track')?.kind).toBe('captions');
    expect(document.getElementById(video.getAttribute('aria-describedby') ?? '')?.textContent).toBe(t('showcase.filmWords'));
  });
});

describe('the gallery of the landing page', () => {
  // Loads the separate chunk of the full-size pictures before the tests.
  beforeAll(async () => void (await import('./Lightbox.tsx')), 60_000);

  const tiles = () => within(screen.getByRole('list')).getAllByRole('button');
  const bones = () => document.querySelectorAll('[class*="bone"]').length;

  // spec: 1.09, 2.2.12, 2.2.31, 3.65, 9.16
  it('shows eight skeletons until the pictures have loaded', () => {
    shown(<Gallery />);
    expect(tiles().map((tile) => tile.getAttribute('aria-label'))).toEqual(
      galleryItems.map((item) => t('gallery.open', { label: t(item.label) })),
    );
    expect(bones()).toBe(8);
    const pictures = tiles().map((tile) => tile.querySelector('img') as HTMLImageElement);
    expect(pictures.map((picture) => picture.getAttribute('src'))).toEqual(
      galleryItems.map((item) => gallerySource(item.name, 'en', 'tile')),
    );
    expect(pictures.every((picture) => picture.getAttribute('loading') === 'lazy')).toBe(true);
    for (const picture of pictures.slice(0, 3)) fireEvent.load(picture);
    expect(bones()).toBe(5);
    for (const picture of pictures.slice(3)) fireEvent.load(picture);
    expect(bones()).toBe(0);
  });

  // spec: 2.2.32, 9.16
  it('has two columns on a phone, three from 600 px and four from 1200', () => {
    // jsdom has no layout, so the test reads the CSS: the number of columns for each minimum width.
    const rules = readFileSync('src/features/site/landing/Gallery.module.css', 'utf8').split('@media');
    const columns = rules.map((rule) => [/min-width: (\d+)px/.exec(rule)?.[1], /repeat\((\d)/.exec(rule)?.[1]]);
    expect(columns).toEqual([
      [undefined, '2'],
      ['600', '3'],
      ['1200', '4'],
    ]);
  });

  // spec: 2.2.35
  it('shows large pictures by keys, counts them, and restores the focus when closed', async () => {
    shown(<Gallery />);
    const second = tiles()[1] as HTMLElement;
    second.focus();
    fireEvent.click(second);
    expect(await screen.findByText('2 / 8')).toBeTruthy();
    const box = screen.getByRole('dialog', { name: t('gallery.title') });
    expect(within(box).getAllByText(new RegExp(t('landing.demoData'))).length).toBeGreaterThan(0);
    fireEvent.keyDown(box, { key: 'ArrowRight' });
    expect(screen.getByText('3 / 8')).toBeTruthy();
    fireEvent.keyDown(box, { key: 'ArrowLeft' });
    fireEvent.click(within(box).getByRole('button', { name: t('gallery.previous') }));
    fireEvent.click(within(box).getByRole('button', { name: t('gallery.previous') }));
    expect(screen.getByText('8 / 8')).toBeTruthy();
    fireEvent.click(within(box).getByRole('button', { name: t('gallery.next') }));
    expect(screen.getByText('1 / 8')).toBeTruthy();
    fireEvent.click(within(box).getByRole('button', { name: t('gallery.close') }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(second);
  });

  it('shows full-size pictures by swipes, and closes on a press outside', async () => {
    shown(<Gallery />);
    fireEvent.click(tiles()[0] as HTMLElement);
    await screen.findByText('1 / 8');
    const figure = screen.getByRole('dialog').querySelector('figure') as HTMLElement;
    const swipe = (from: number, to: number) => {
      fireEvent.touchStart(figure, { touches: [{ clientX: from }] });
      fireEvent.touchEnd(figure, { changedTouches: [{ clientX: to }] });
    };
    swipe(300, 100);
    expect(screen.getByText('2 / 8')).toBeTruthy();
    swipe(100, 120);
    expect(screen.getByText('2 / 8')).toBeTruthy();
    swipe(100, 300);
    expect(screen.getByText('1 / 8')).toBeTruthy();
    fireEvent.click(figure.querySelector('img') as HTMLElement);
    expect(screen.getByRole('dialog')).toBeTruthy();
    fireEvent.click(figure);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  // spec: 1.09, 3.65
  it("shows the operator's own pictures in place of ours", async () => {
    const gallery = [
      { src: '/pictures/1.webp', zh: '一', en: 'One' },
      { src: '/pictures/2.webp', zh: '二', en: 'Two' },
    ];
    shown(<Gallery />, { pictures: '1', gallery });
    expect(tiles().map((tile) => tile.querySelector('img')?.getAttribute('src'))).toEqual(gallery.map((one) => one.src));
    fireEvent.click(tiles()[1] as HTMLElement);
    expect(await screen.findByText('2 / 2')).toBeTruthy();
    expect(screen.queryByText(new RegExp(t('landing.demoData')))).toBeNull();
  });
});

describe('the introduction of the landing page', () => {
  it('shows the state of the official site and the time of the last check, if known', () => {
    shown(<HeroIntro />, { portal_ok: '1', seen_seconds: '8' });
    expect(screen.getByText(t('landing.seenSeconds', { n: 8 }))).toBeTruthy();
    cleanup();
    shown(<HeroIntro />);
    expect(document.querySelector('[class*="live"]')).toBeNull();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(`${t('landing.title')}${t('landing.title2')}`);
  });

  it('shows a complete booking, and animates it once when it is visible', () => {
    const { container } = shown(<HeroProduct />);
    const figure = container.querySelector('figure') as HTMLElement;
    expect(figure.querySelectorAll('ol li')).toHaveLength(3);
    expect(figure.textContent).toContain(t('landing.demoWonText'));
    expect(figure.textContent).toContain(t('landing.demoData'));
    enhance(document);
    expect(figure.hasAttribute('data-play')).toBe(false);
    onScreen(true);
    expect(figure.hasAttribute('data-play')).toBe(true);
  });

  it('does not move with reduced motion', () => {
    stillness = true;
    const { container } = shown(<HeroProduct />);
    enhance(document);
    onScreen(true);
    expect(container.querySelector('figure')?.hasAttribute('data-play')).toBe(false);
  });

  it.each(['2026-11-21', '2026-12-31', '2027-02-28', '2028-02-29'])('shows consistent dates on any day (%s)', (today) => {
    const { won, before, at, calendar } = demoStory(today);
    expect(new Date(won).getUTCDay()).toBe(2);
    expect(won > today && before > won).toBe(true);
    // The style sheet contains these positions as constants (HeroDateLine.module.css), because
    // elements of a document must not have inline styles.
    expect(Math.abs(at.won - 28.4)).toBeLessThan(1);
    expect(Math.abs(at.window[0] - 8) + Math.abs(at.window[1] - 40)).toBeLessThan(1);
    const booked = calendar.cells.filter((cell) => cell.booked);
    expect(booked.map((cell) => cell.day)).toEqual([Number(won.slice(8))]);
    expect(calendar.seen).toBeLessThanOrEqual(calendar.cells.length);
    expect([at.won, ...at.seen.map((tick) => tick.left)].every((left) => left > 0 && left < 100)).toBe(true);
  });
});

// spec: 2.2.12, 2.2.30, 4.4.13
it('opens at most one detail at a time', async () => {
  shown(<FeatureList />);
  // A `<details>` element that is open in the document fires the same event a moment later.
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  enhance(document);
  const details = [...document.querySelectorAll('details')];
  const opened = () => details.filter((one) => one.open).map((one) => one.querySelector('h3')?.textContent);
  expect(details.every((one) => one.getAttribute('name') === 'feature')).toBe(true);
  expect(opened()).toEqual([t('landing.list.pace')]);
  // Opens an element like the browser. jsdom ignores `name`, so our code must close the other one.
  act(() => void (details[2] as HTMLDetailsElement).setAttribute('open', ''));
  await waitFor(() => expect(opened()).toEqual([t('landing.list.why')]));
  act(() => void (details[2] as HTMLDetailsElement).removeAttribute('open'));
  await waitFor(() => expect(opened()).toEqual([]));
});

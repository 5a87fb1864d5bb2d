import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Language } from '../../../shared/i18n/language.ts';
import { type FilmFacts, type FilmSize, films } from './filmFacts.ts';

/** Returns whether the user prefers reduced motion or reduced data. */
function wantsStill(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return matchMedia('(prefers-reduced-motion: reduce)').matches || connection?.saveData === true;
}

function start(film: HTMLVideoElement): void {
  film.play().catch(() => undefined);
}

/** State and actions of the video player. */
export interface FilmPlayer {
  video: RefObject<HTMLVideoElement | null>;
  /** Format that the browser chose. */
  size: FilmSize;
  facts: FilmFacts;
  playing: boolean;
  /**
   * Position in seconds, or null until the video was played. Until then the still picture is
   * visible.
   */
  second: number | null;
  toggle: () => void;
  seek: (second: number) => void;
}

/** Plays the video without sound while it is visible. If the user pauses it, it stays paused. */
export function useFilm(language: Language): FilmPlayer {
  const video = useRef<HTMLVideoElement>(null);
  const held = useRef(false);
  const [playing, setPlaying] = useState(false);
  const [second, setSecond] = useState<number | null>(null);
  const [size, setSize] = useState<FilmSize>('wide');
  useEffect(() => {
    const film = video.current;
    if (!film) return;
    const handlers = {
      play: () => setPlaying(true),
      pause: () => setPlaying(false),
      timeupdate: () => setSecond(film.currentTime),
      // The browser chose one of the files. The video's aspect ratio shows which.
      loadedmetadata: () => setSize(film.videoWidth < film.videoHeight ? 'phone' : 'wide'),
    };
    for (const [name, react] of Object.entries(handlers)) film.addEventListener(name, react);
    const watcher =
      'IntersectionObserver' in window
        ? new IntersectionObserver(
            ([entry]) => {
              if (!entry?.isIntersecting) film.pause();
              else if (!held.current && !wantsStill()) start(film);
            },
            { threshold: 0.25 },
          )
        : null;
    watcher?.observe(film);
    return () => {
      watcher?.disconnect();
      for (const [name, react] of Object.entries(handlers)) film.removeEventListener(name, react);
    };
  }, []);
  return {
    video,
    size,
    facts: films[language][size],
    playing,
    second,
    toggle: () => {
      const film = video.current;
      if (!film) return;
      held.current = !film.paused;
      if (film.paused) start(film);
      else film.pause();
    },
    seek: (to) => {
      const film = video.current;
      if (!film) return;
      film.currentTime = to;
      setSecond(to);
      held.current = false;
      start(film);
    },
  };
}

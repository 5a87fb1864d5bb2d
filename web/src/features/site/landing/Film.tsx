import { Maximize2, Pause, Play } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import styles from './Film.module.css';
import { type FilmSize, minutes, reached, shownOf } from './filmFacts.ts';
import type { FilmPlayer } from './useFilm.ts';

const PHONE = '(max-width:599.95px)';

/** Video element of an iPhone, which can show only the video itself in full screen. */
interface PhoneVideo extends HTMLVideoElement {
  webkitEnterFullscreen?: () => void;
}

/** Renders the video with its own controls: one chapter per step, captions, no sound. */
export function Film({ video, size, facts, playing, second, toggle, seek }: FilmPlayer) {
  const { t } = useTranslation();
  const language = useLanguage();
  const frame = useRef<HTMLDivElement>(null);
  const file = (of: FilmSize, kind: 'mp4' | 'webp' | 'vtt') => `/film/${language}-${of}.${kind}`;
  const cue =
    facts.cues[
      second === null
        ? facts.cues.length - 1
        : reached(
            facts.cues.map(([at]) => at),
            second,
          )
    ]?.[1];
  const enlarge = () => {
    const phone: PhoneVideo | null = video.current;
    if (document.fullscreenElement) void document.exitFullscreen();
    else if (frame.current?.requestFullscreen) void frame.current.requestFullscreen().catch(() => undefined);
    else phone?.webkitEnterFullscreen?.();
  };
  return (
    <figure className={styles.film}>
      <div className={styles.frame} ref={frame}>
        <div className={styles.screen}>
          <picture>
            <source media={PHONE} srcSet={file('phone', 'webp')} />
            <img src={file('wide', 'webp')} alt="" loading="lazy" />
          </picture>
          <video
            ref={video}
            key={language}
            muted
            loop
            playsInline
            preload="none"
            aria-label={t('showcase.film')}
            aria-describedby="film-words"
          >
            <source media={PHONE} src={file('phone', 'mp4')} type="video/mp4" />
            <source src={file('wide', 'mp4')} type="video/mp4" />
            <track kind="captions" srcLang={language} label={t('showcase.filmTrack')} src={file(size, 'vtt')} />
          </video>
        </div>
        <p>{cue && t(`showcase.cue.${cue}`)}</p>
        <div className={styles.player}>
          <button type="button" onClick={toggle} aria-label={t(playing ? 'showcase.filmPause' : 'showcase.filmPlay')}>
            <Icon of={playing ? Pause : Play} />
          </button>
          <span>{minutes(second ?? 0)}</span>
          <div className={styles.parts}>
            {facts.chapters.map((from, index) => (
              <button
                key={from}
                type="button"
                onClick={() => seek(from)}
                aria-label={t('showcase.filmPart', { step: t(`showcase.step${(index + 1) as 1 | 2 | 3}`) })}
              >
                <svg aria-hidden="true">
                  <rect width={`${100 * shownOf(facts, index, second ?? 0)}%`} height="100%" />
                </svg>
              </button>
            ))}
          </div>
          <span>{minutes(facts.seconds)}</span>
          <button type="button" onClick={enlarge} aria-label={t('showcase.filmLarge')}>
            <Icon of={Maximize2} />
          </button>
        </div>
      </div>
      <figcaption id="film-words">{t('showcase.filmWords')}</figcaption>
    </figure>
  );
}

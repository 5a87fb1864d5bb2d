import { styled } from '@mui/material/styles';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { Icon } from '../../../shared/legacy/Icon.tsx';
import { minutes, reached, shownOf } from './filmFacts.ts';
import type { FilmPlayer } from './useFilm.ts';

const PHONE = '(max-width:599.95px)';

const Figure = styled('figure')(({ theme: { vars, shadows } }) => {
  const { palette } = vars;
  return {
    minWidth: 0,
    '& .frame': {
      display: 'grid',
      alignContent: 'center',
      padding: '28px 28px 0',
      borderRadius: 24,
      background: palette.deep.main,
      color: palette.deep.contrastText,
      boxShadow: shadows[24],
    },
    // The film lies over its still picture, which shows until the film does.
    '& .screen': {
      display: 'grid',
      aspectRatio: '16/10',
      borderRadius: 12,
      overflow: 'hidden',
      background: palette.background.default,
    },
    '& .screen > *, & img': {
      gridArea: '1/1',
      width: '100%',
      height: '100%',
      minHeight: 0,
      objectFit: 'cover',
      display: 'block',
    },
    '& .frame > p': { marginTop: 14, fontSize: 15, lineHeight: 1.5, color: palette.deep.ink },
    '& .player': { display: 'flex', alignItems: 'center', gap: 10, height: 56, fontSize: 13, fontVariantNumeric: 'tabular-nums' },
    '& .player > svg': { margin: '0 6px' },
    '& button': {
      display: 'grid',
      placeItems: 'center',
      width: 36,
      height: 36,
      margin: '0 -8px',
      padding: 0,
      border: 0,
      borderRadius: '50%',
      background: 'none',
      color: 'inherit',
      cursor: 'pointer',
      '&:focus-visible': { outlineColor: palette.deep.contrastText, outlineOffset: -2 },
    },
    '& .parts': { flex: 1, display: 'flex', gap: 4, margin: '0 4px' },
    '& .part': { flex: 1, margin: 0, width: 'auto', borderRadius: 8, placeItems: 'stretch', alignItems: 'center' },
    '& .part span': {
      height: 4,
      borderRadius: 2,
      overflow: 'hidden',
      background: `color-mix(in srgb,${palette.deep.contrastText} 26%,transparent)`,
    },
    '& .part:hover span': { height: 6 },
    '& .part i': { display: 'block', height: '100%', background: palette.deep.contrastText, transformOrigin: '0 0' },
    '& figcaption': { marginTop: 10, fontSize: 13, lineHeight: 1.55, textWrap: 'balance', color: palette.text.tertiary },
    [`@media ${PHONE}`]: {
      '& .frame': { padding: '14px 14px 0', borderRadius: 16 },
      '& .screen': { aspectRatio: '3/4' },
    },
    '& :fullscreen': { borderRadius: 0 },
    '& :fullscreen .screen': { margin: '0 auto', height: 'calc(100vh - 140px)', maxWidth: '100%' },
  };
});

/** An iPhone shows only the video itself on the whole screen. */
interface PhoneVideo extends HTMLVideoElement {
  webkitEnterFullscreen?: () => void;
}

/** The film with a player of its own: three parts as there are steps, a line that says what is going on, no sound. */
export function Film({ video, facts, playing, second, toggle, seek }: FilmPlayer) {
  const { t } = useTranslation();
  const language = useLanguage();
  const frame = useRef<HTMLDivElement>(null);
  const file = (size: 'wide' | 'phone', kind: 'webm' | 'mp4' | 'webp') => `/film/${language}-${size}.${kind}`;
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
    <Figure>
      <div className="frame" ref={frame}>
        <div className="screen">
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
            aria-label={t('landing.film')}
            aria-describedby="film-words"
          >
            <source media={PHONE} src={file('phone', 'webm')} type="video/webm" />
            <source media={PHONE} src={file('phone', 'mp4')} type="video/mp4" />
            <source src={file('wide', 'webm')} type="video/webm" />
            <source src={file('wide', 'mp4')} type="video/mp4" />
            <track kind="captions" srcLang={language} label={t('landing.filmTrack')} src={`/film/${language}.vtt`} />
          </video>
        </div>
        <p>{cue && t(`landing.cue.${cue}`)}</p>
        <div className="player">
          <button type="button" onClick={toggle} aria-label={t(playing ? 'landing.filmPause' : 'landing.filmPlay')}>
            <Icon name={playing ? 'pause' : 'play'} />
          </button>
          <span>{minutes(second ?? 0)}</span>
          <div className="parts">
            {facts.chapters.map((from, index) => (
              <button
                key={from}
                type="button"
                className="part"
                onClick={() => seek(from)}
                aria-label={t('landing.filmPart', { step: t(`landing.step${(index + 1) as 1 | 2 | 3}`) })}
              >
                <span>
                  <i style={{ transform: `scaleX(${shownOf(facts, index, second ?? 0)})` }} />
                </span>
              </button>
            ))}
          </div>
          <span>{minutes(facts.seconds)}</span>
          <Icon name="muted" />
          <button type="button" onClick={enlarge} aria-label={t('landing.filmLarge')}>
            <Icon name="expand" />
          </button>
        </div>
      </div>
      <figcaption id="film-words">{t('landing.filmWords')}</figcaption>
    </Figure>
  );
}

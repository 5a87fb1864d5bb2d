import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../i18n/useLanguage.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Section } from './Section.tsx';

const steps = [1, 2, 3] as const;

/** How it works: three steps, and beside them the product being used, filmed in our own sandbox. */
export function Showcase() {
  const { t } = useTranslation();
  return (
    <Section id="showcase" title={t('landing.howTitle')} lead={t('landing.howLead')}>
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 4, md: 8 },
          gridTemplateColumns: { xs: 'minmax(0,1fr)', md: 'minmax(0,400px) minmax(0,1fr)' },
          alignItems: 'center',
        }}
      >
        <Box component="ol" sx={{ display: 'grid', gap: { xs: 3, md: 4 } }}>
          {steps.map((step) => (
            <Box
              component="li"
              key={step}
              sx={{ display: 'grid', gridTemplateColumns: '40px 1fr', gap: '4px 12px', alignContent: 'start' }}
            >
              <Box
                sx={{ fontSize: 30, fontWeight: 600, lineHeight: 1.1, color: 'primary.main', fontVariantNumeric: 'tabular-nums' }}
              >
                {step}
              </Box>
              <Typography variant="h5" component="h3">
                {t(`landing.step${step}`)}
              </Typography>
              <Typography color="textSecondary" sx={{ gridColumn: 2, fontSize: 15 }}>
                {t(`landing.step${step}Text`)}
              </Typography>
            </Box>
          ))}
        </Box>
        <DemoVideo />
      </Box>
    </Section>
  );
}

/** Loops muted while it is on the screen, unless less motion is wished for; what it shows is told in words below. */
function DemoVideo() {
  const { t } = useTranslation();
  const language = useLanguage();
  const video = useRef<HTMLVideoElement>(null);
  const [playing, setPlaying] = useState(false);
  // The still picture is asked for when it is near: before that its bytes would come before the page's own.
  const [near, setNear] = useState(false);
  useEffect(() => {
    const film = video.current;
    if (!film || !('IntersectionObserver' in window)) return setNear(true);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const player = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting && !still) void film.play().catch(() => undefined);
      else film.pause();
    });
    const coming = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), { rootMargin: '600px' });
    player.observe(film);
    coming.observe(film);
    return () => {
      player.disconnect();
      coming.disconnect();
    };
  }, []);
  const toggle = () => {
    const film = video.current;
    if (!film) return;
    if (film.paused) void film.play().catch(() => undefined);
    else film.pause();
  };
  return (
    <Box component="figure" sx={{ minWidth: 0 }}>
      <Box sx={{ position: 'relative', p: { xs: 1.25, sm: 2 }, borderRadius: '24px', bgcolor: 'deep.main' }}>
        <Box
          component="video"
          ref={video}
          key={language}
          muted
          loop
          playsInline
          preload="none"
          poster={near ? `/film/${language}.webp` : undefined}
          aria-label={t('landing.film')}
          aria-describedby="film-words"
          width={1280}
          height={800}
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          sx={{ display: 'block', width: '100%', height: 'auto', borderRadius: '12px', bgcolor: 'background.default' }}
        >
          <source src={`/film/${language}.webm`} type="video/webm" />
          <source src={`/film/${language}.mp4`} type="video/mp4" />
        </Box>
        <Button
          variant="onDeep"
          size="small"
          onClick={toggle}
          startIcon={<Icon name={playing ? 'pause' : 'play'} size={16} />}
          sx={{ position: 'absolute', right: { xs: 20, sm: 28 }, bottom: { xs: 20, sm: 28 } }}
        >
          {t(playing ? 'landing.filmPause' : 'landing.filmPlay')}
        </Button>
      </Box>
      <Typography component="figcaption" id="film-words" variant="caption" color="textTertiary" sx={{ display: 'block', mt: 1 }}>
        {t('landing.filmWords')}
      </Typography>
    </Box>
  );
}

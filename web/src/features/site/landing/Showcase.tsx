import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { Film } from './Film.tsx';
import { reached, shownOf } from './filmFacts.ts';
import { Section } from './Section.tsx';
import { useFilm } from './useFilm.ts';

const steps = [1, 2, 3] as const;

const Root = styled('div')(({ theme: { vars, breakpoints, shadows, transitions } }) => {
  const { palette } = vars;
  return {
    display: 'grid',
    gap: 24,
    alignItems: 'center',
    [breakpoints.up('md')]: { gridTemplateColumns: '300px minmax(0,1fr)', gap: 32 },
    [breakpoints.up('lg')]: { gridTemplateColumns: '348px minmax(0,1fr)', gap: 56 },
    '& ol': { display: 'grid', gap: 8, counterReset: 'step' },
    '& li': {
      position: 'relative',
      padding: '12px 14px 14px 54px',
      borderRadius: 16,
      border: '1px solid transparent',
      counterIncrement: 'step',
      transition: `background-color ${transitions.duration.short}ms`,
      [breakpoints.up('md')]: { padding: '16px 20px 18px 68px' },
    },
    '& li::before': {
      content: 'counter(step)',
      position: 'absolute',
      left: 18,
      top: 10,
      fontSize: 30,
      fontWeight: 600,
      lineHeight: 1.2,
      color: palette.text.tertiary,
      [breakpoints.up('md')]: { left: 22, top: 13 },
    },
    '& h3': { fontSize: 20, fontWeight: 600, lineHeight: 1.5 },
    '& li p': { marginTop: 2, fontSize: 15, lineHeight: 1.7, color: palette.text.secondary },
    '& .on': { background: palette.background.paper, borderColor: palette.divider, boxShadow: shadows[2] },
    '& .on::before': { color: palette.primary.main },
    '& .bar': {
      height: 3,
      marginTop: 12,
      borderRadius: 2,
      overflow: 'hidden',
      background: palette.background.track,
      visibility: 'hidden',
    },
    '& .on .bar': { visibility: 'visible' },
    '& .bar i': { display: 'block', height: '100%', background: palette.primary.main, transformOrigin: '0 0' },
    '& .bar i, & .part i': { transition: 'transform 250ms linear' },
  };
});

/** How it works: three steps, and beside them the product being used, filmed in our own sandbox; they go in step. */
export function Showcase() {
  const { t } = useTranslation();
  const film = useFilm(useLanguage());
  const { facts, second } = film;
  // The still picture shows how it ends.
  const now = second === null ? steps.length - 1 : reached(facts.chapters, second);
  return (
    <Section id="showcase" title={t('landing.howTitle')} lead={t('landing.howLead')}>
      <Root>
        <ol>
          {steps.map((step, index) => (
            <li key={step} className={index === now ? 'on' : undefined}>
              <h3>{t(`landing.step${step}`)}</h3>
              <p>{t(`landing.step${step}Text`)}</p>
              <div className="bar" aria-hidden>
                <i style={{ transform: `scaleX(${second === null ? 1 : shownOf(facts, index, second)})` }} />
              </div>
            </li>
          ))}
        </ol>
        <Film {...film} />
      </Root>
    </Section>
  );
}

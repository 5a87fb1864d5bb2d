import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { PaceClock } from './PaceClock.tsx';
import { Section } from './Section.tsx';

const items = ['pace', 'cities', 'why', 'attempts', 'pay', 'password'] as const;

const Root = styled('div')(({ theme: { vars, breakpoints, transitions } }) => ({
  display: 'grid',
  gap: 32,
  alignItems: 'center',
  [breakpoints.up('md')]: { gridTemplateColumns: 'minmax(0,1fr) 400px', gap: 56 },
  [breakpoints.up('lg')]: { gridTemplateColumns: 'minmax(0,1fr) 440px', gap: 88 },
  '& details': { borderBottom: `1px solid ${vars.palette.divider}` },
  '& details:first-of-type': { borderTop: `1px solid ${vars.palette.divider}` },
  '& summary': {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: 16,
    minHeight: 60,
    cursor: 'pointer',
    listStyle: 'none',
  },
  '& summary::-webkit-details-marker': { display: 'none' },
  '& summary:hover h3': { color: vars.palette.primary.ink },
  '& h3': { fontSize: 16, fontWeight: 600, lineHeight: 1.5 },
  '& summary::after': {
    content: '""',
    flex: 'none',
    width: 8,
    height: 8,
    margin: '-6px 6px 0',
    border: 'solid',
    borderWidth: '0 2px 2px 0',
    transform: 'rotate(45deg)',
    transition: `transform ${transitions.duration.short}ms`,
  },
  '& [open] summary::after': { transform: 'translateY(4px) rotate(225deg)' },
  '& details p': { margin: '-4px 0 20px', maxWidth: '36em', lineHeight: 1.75, color: vars.palette.text.secondary },
}));

/** Six things people want to know exactly: one is open at a time, or none; the browser does it, without script. */
export function FeatureList() {
  const { t } = useTranslation();
  return (
    <Section id="feedback" paper title={t('landing.listTitle')}>
      <Root>
        <div>
          {items.map((item) => (
            <details key={item} name="feature" open={item === 'pace'}>
              <summary>
                <h3>{t(`landing.list.${item}`)}</h3>
              </summary>
              <p>{t(`landing.list.${item}Text`)}</p>
            </details>
          ))}
        </div>
        <PaceClock />
      </Root>
    </Section>
  );
}

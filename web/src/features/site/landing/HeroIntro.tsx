import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { If, useFacts } from '../../../shared/api/facts.tsx';
import { Icon } from '../../../shared/legacy/Icon.tsx';
import { LiveDot } from '../../../shared/ui/LiveDot.tsx';

const Root = styled('div')(({ theme: { vars, breakpoints } }) => ({
  '& .live': {
    display: 'flex',
    alignItems: 'center',
    gap: 10,
    fontSize: 14,
    lineHeight: 1.6,
    color: vars.palette.text.secondary,
  },
  '& .live b': { fontWeight: 600, color: vars.palette.text.primary, whiteSpace: 'nowrap' },
  '& .ok': { color: vars.palette.primary.main },
  '& .slow': { color: vars.palette.warning.main },
  '& .down': { color: vars.palette.error.main },
  '& h1': { margin: '14px 0 12px', [breakpoints.up('md')]: { margin: '20px 0 16px' } },
  '& .lead': { maxWidth: '31em' },
  '& ul': { display: 'flex', flexWrap: 'wrap', gap: '8px 16px', marginTop: 20, fontSize: 15, fontWeight: 500, lineHeight: 1.6 },
  '& li': { display: 'flex', gap: 8, alignItems: 'center' },
  '& li svg': { color: vars.palette.primary.main },
  '& .ways': { display: 'flex', gap: 8, marginTop: 24, [breakpoints.up('md')]: { display: 'none' } },
  [breakpoints.down('sm')]: { '& .ways > :first-of-type': { flex: 1 } },
  // Who is signed in is shown another way in.
  '[data-member] & .ways': { display: 'none' },
}));

/** How the portal may be, as the server knows it. */
const states = [
  { fact: 'portal_ok', look: 'ok', words: 'landing.portalOk' },
  { fact: 'portal_slow', look: 'slow', words: 'landing.portalSlow' },
  { fact: 'portal_down', look: 'down', words: 'landing.portalDown' },
] as const;

/** How the portal is, and when somebody last looked: said only when it is known. */
function PortalLine() {
  const { t } = useTranslation();
  const facts = useFacts();
  const ago = (
    <b>
      <If fact="seen_seconds">{t('landing.seenSeconds', { n: facts.seen_seconds })}</If>
      <If fact="seen_minutes">{t('landing.seenMinutes', { n: facts.seen_minutes })}</If>
      <If fact="seen_hours">{t('landing.seenHours', { n: facts.seen_hours })}</If>
    </b>
  );
  return (
    <>
      {states.map(({ fact, look, words }) => (
        <If key={fact} fact={fact}>
          <p className="live">
            <LiveDot className={look} />
            <span>
              {t(words)}
              {ago}
            </span>
          </p>
        </If>
      ))}
    </>
  );
}

/** What this does, in two short lines and one sentence, and why one may believe it. */
export function HeroIntro() {
  const { t } = useTranslation();
  const trust = [
    { icon: 'wallet', text: t('landing.trust1') },
    { icon: 'lock', text: t('landing.trust2') },
    { icon: 'user', text: t('landing.trust3') },
  ] as const;
  return (
    <Root>
      <PortalLine />
      <Typography variant="h1">
        {t('landing.title')}
        <br />
        {t('landing.title2')}
      </Typography>
      <Typography variant="lead" component="p" color="textSecondary" className="lead">
        {t('landing.lead')}
      </Typography>
      <ul>
        {trust.map((point) => (
          <li key={point.icon}>
            <Icon name={point.icon} size={18} />
            {point.text}
          </li>
        ))}
      </ul>
      <div className="ways">
        <Button href="#sign-up" size="large">
          {t('landing.ctaButton')}
        </Button>
        <Button href="#showcase" size="large" variant="outlined">
          {t('open.showcase')}
        </Button>
      </div>
    </Root>
  );
}

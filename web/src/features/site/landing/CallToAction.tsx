import Button from '@mui/material/Button';
import Container from '@mui/material/Container';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/legacy/Icon.tsx';
import { paths } from '../../../shared/routing/paths.ts';
import { phrases } from './Section.tsx';

const Root = styled('section')(({ theme: { vars, breakpoints, spacing } }) => {
  const { deep, tertiary } = vars.palette;
  return {
    padding: spacing(7, 0),
    [breakpoints.up('md')]: { padding: spacing(14, 0) },
    '& .panel': {
      display: 'grid',
      gap: 20,
      alignItems: 'center',
      padding: '36px 24px 28px',
      borderRadius: 24,
      background: deep.main,
      color: deep.contrastText,
      [breakpoints.up('md')]: { gridTemplateColumns: 'minmax(0,1fr) minmax(0,440px)', gap: 40, padding: 64 },
    },
    '& h2 span': { display: 'inline-block' },
    '& p': { margin: '8px 0 24px', color: deep.ink },
    '& svg[viewBox="0 0 440 180"]': {
      width: '100%',
      maxWidth: 440,
      justifySelf: 'center',
      fill: 'none',
      stroke: deep.contrastText,
      strokeWidth: 2.5,
      strokeLinecap: 'round',
    },
    '& .track': { strokeWidth: 8, strokeOpacity: 0.22 },
    '& .window': { strokeWidth: 8, strokeOpacity: 0.5, stroke: vars.palette.heat[3] },
    '& .ticks': { strokeOpacity: 0.5 },
    '& .arc': { strokeDasharray: '.1 8' },
    '& .sun': { fill: tertiary.main, stroke: 'none' },
    '& .old': { fill: deep.main, strokeWidth: 3, strokeOpacity: 0.7 },
    '& .halo': { strokeWidth: 3, strokeOpacity: 0.35 },
    '& .new': { fill: deep.contrastText, stroke: 'none' },
  };
});

/** Days seen by the portal's calendar, as places on the line. */
const TICKS = [60, 268, 292, 300, 322, 340, 366, 392];

/** The call to action on the one dark panel: the price promise, the way in, and the date line's move. */
export function CallToAction() {
  const { t } = useTranslation();
  return (
    <Root aria-labelledby="cta">
      <Container>
        <div className="panel">
          <div>
            <Typography variant="h2" id="cta">
              {phrases(t('landing.ctaTitle'))}
            </Typography>
            <Typography variant="lead" component="p">
              {t('landing.ctaLead')}
            </Typography>
            <Button href={paths.register} size="large" variant="onDeep" endIcon={<Icon name="arrowRight" size={18} />}>
              {t('landing.ctaButton')}
            </Button>
          </div>
          <svg viewBox="0 0 440 180" aria-hidden="true">
            <path className="track" d="M10 130H430" />
            <path className="window" d="M120 130H250" />
            <path className="ticks" d={TICKS.map((x) => `M${x} 122v16`).join('')} />
            <path className="arc" d="M420 112C412 26 190 20 168 104" />
            <path d="M160 92l7 14 11-11" strokeLinejoin="round" />
            <circle className="sun" cx="10" cy="130" r="8" />
            <circle className="old" cx="420" cy="130" r="9" />
            <circle className="halo" cx="168" cy="130" r="17" />
            <circle className="new" cx="168" cy="130" r="11" />
          </svg>
        </div>
      </Container>
    </Root>
  );
}

import Container from '@mui/material/Container';
import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { If, useFacts } from '../../../shared/api/facts.tsx';

const Root = styled('section')(({ theme: { vars, breakpoints, spacing } }) => {
  const { palette } = vars;
  const edge = `1px solid ${palette.divider}`;
  return {
    padding: spacing(6, 0),
    background: palette.background.paper,
    borderBlock: edge,
    [breakpoints.up('md')]: { padding: spacing(8, 0) },
    '& .strip': {
      display: 'grid',
      gap: 24,
      alignItems: 'center',
      [breakpoints.up('md')]: { gridTemplateColumns: '240px 1fr', gap: 48 },
    },
    '& h2': { fontSize: 24, fontWeight: 700, lineHeight: 1.4 },
    '& p': { fontSize: 14, lineHeight: 1.6, color: palette.text.secondary, marginTop: 4 },
    '& dl': {
      margin: 0,
      display: 'grid',
      gridTemplateColumns: '1fr 1fr',
      gap: '24px 0',
      [breakpoints.up('sm')]: { gridTemplateColumns: 'repeat(4,1fr)' },
    },
    '& dl > div': {
      display: 'flex',
      flexDirection: 'column',
      padding: '0 12px 0 16px',
      borderLeft: edge,
      [breakpoints.up('md')]: { paddingLeft: 24 },
      [breakpoints.down('sm')]: { '&:nth-of-type(odd)': { paddingLeft: 0, borderLeft: 0 } },
    },
    '& dd': {
      order: -1,
      margin: 0,
      fontSize: 30,
      fontWeight: 600,
      lineHeight: 1.2,
      whiteSpace: 'nowrap',
      fontVariantNumeric: 'tabular-nums',
    },
    [breakpoints.up('lg')]: { '& dd': { fontSize: 38 } },
    '& small': { marginLeft: 5, fontSize: 15, fontWeight: 500, color: palette.text.secondary },
    '& dt': { marginTop: 6, fontSize: 14, lineHeight: 1.5, color: palette.text.secondary },
    '& .few dd': { color: palette.text.tertiary },
    '& .at': { marginTop: 16, fontSize: 13, color: palette.text.tertiary },
  };
});

/** One figure: the number, its unit small beside it, and what it counts. */
function Figure({ value, unit, label, few }: { value: string; unit: string; label: string; few?: boolean }) {
  return (
    <div className={few ? 'few' : undefined}>
      <dt>{label}</dt>
      <dd>
        {value}
        <small>{unit}</small>
      </dd>
    </div>
  );
}

/** To date: counted, never invented. With too few ratings the count towards them stands instead of a rate. */
export function Figures() {
  const { t } = useTranslation();
  const facts = useFacts();
  return (
    <If fact="figures">
      <Root aria-labelledby="figures-title">
        <Container>
          <div className="strip">
            <div>
              <h2 id="figures-title">{t('figures.title')}</h2>
              <p>{t('figures.lead')}</p>
            </div>
            <dl>
              <Figure value={facts.finished_tasks} unit={t('figures.tasksUnit')} label={t('figures.tasks')} />
              <Figure value={facts.days_saved} unit={t('figures.daysUnit')} label={t('figures.days')} />
              <Figure value={facts.checks_total} unit={t('figures.checksUnit')} label={t('figures.checks')} />
              <If fact="enough">
                <Figure
                  value={facts.satisfied}
                  unit={t('figures.satisfied')}
                  label={t('figures.rated', { rating: facts.rating, n: facts.ratings })}
                />
              </If>
              <If fact="few">
                <Figure
                  few
                  value={facts.ratings}
                  unit={t('figures.ofRatings', { n: facts.ratings_wanted })}
                  label={t('figures.tooFew', { n: facts.ratings_wanted })}
                />
              </If>
            </dl>
          </div>
          <p className="at">
            <If fact="figures_date">{t('figures.at', { date: facts.figures_date, time: facts.figures_time })}</If>
            <If fact="demo">{t('figures.demo')}</If>
          </p>
        </Container>
      </Root>
    </If>
  );
}

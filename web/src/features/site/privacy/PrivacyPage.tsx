import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../../shared/hooks/usePageTitle.ts';
import { BrowserTable } from './BrowserTable.tsx';
import { privacyParts } from './privacyParts.ts';

const Root = styled('div')(({ theme: { vars, breakpoints, typography } }) => ({
  boxSizing: 'border-box',
  width: '100%',
  maxWidth: breakpoints.values.lg,
  margin: '0 auto',
  padding: '20px 16px 32px',
  display: 'grid',
  gap: 24,
  [breakpoints.up('sm')]: { paddingLeft: 24, paddingRight: 24 },
  [breakpoints.up('md')]: {
    gridTemplateColumns: '300px minmax(0,1fr)',
    gap: 48,
    alignItems: 'start',
    paddingTop: 40,
    paddingBottom: 64,
  },
  '& h1': typography.h3,
  '& h2': { fontSize: 18, fontWeight: 600, lineHeight: 1.5 },
  '& aside': { [breakpoints.up('md')]: { position: 'sticky', top: 96 } },
  '& aside p': { color: vars.palette.text.secondary, marginTop: 4 },
  '& aside .date': { ...typography.caption, color: vars.palette.text.tertiary },
  '& nav': { marginTop: 20 },
  '& nav ul': { borderLeft: `1px solid ${vars.palette.divider}`, ...typography.body2 },
  '& nav a': { display: 'block', padding: '5px 0 5px 16px', color: vars.palette.text.secondary, textDecoration: 'none' },
  '& nav a:hover': { color: vars.palette.primary.ink },
  [breakpoints.down('md')]: {
    '& nav ul': { display: 'flex', flexWrap: 'wrap', gap: '0 20px', border: 0 },
    '& nav a': { paddingLeft: 0, color: vars.palette.primary.ink },
  },
  '& article': {
    padding: '4px 16px',
    borderRadius: 16,
    border: `1px solid ${vars.palette.divider}`,
    background: vars.palette.background.paper,
    lineHeight: 1.75,
    [breakpoints.up('sm')]: { padding: '4px 28px' },
  },
  '& section': { padding: '22px 0', borderTop: `1px solid ${vars.palette.divider}` },
  '& section:first-of-type': { borderTop: 0 },
  '& section > p': { marginTop: 4, maxWidth: '42em' },
  '& section ul': { display: 'grid', gap: 10, marginTop: 12, maxWidth: '42em', color: vars.palette.text.secondary },
  '& section li': { position: 'relative', paddingLeft: 20 },
  '& section li::before': {
    content: '""',
    position: 'absolute',
    left: 2,
    top: '.72em',
    width: 6,
    height: 6,
    borderRadius: 3,
    background: vars.palette.primary.main,
  },
  '@media print': {
    display: 'block',
    padding: 0,
    '& nav': { display: 'none' },
    '& article': { border: 0, padding: 0 },
    '& section': { breakInside: 'avoid' },
  },
}));

/** /privacy: what is stored, how it is encrypted, who sees it, how it goes away. Static: it is never made live in a browser. */
export function PrivacyPage() {
  const { t } = useTranslation();
  usePageTitle(t('privacy.title'));
  return (
    <Root>
      <aside>
        <h1>{t('privacy.title')}</h1>
        <p>{t('privacy.lead')}</p>
        <p className="date">{t('privacy.changed')}</p>
        <nav aria-label={t('privacy.contents')}>
          <ul>
            {privacyParts.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{t(title)}</a>
              </li>
            ))}
          </ul>
        </nav>
      </aside>
      <article>
        {privacyParts.map(({ id, title, text, points }) => (
          <section key={id} id={id}>
            <h2>{t(title)}</h2>
            <p>{t(text)}</p>
            {points.length > 0 && (
              <ul>
                {points.map((point) => (
                  <li key={point}>{t(point)}</li>
                ))}
              </ul>
            )}
            {id === 'browser' && <BrowserTable />}
          </section>
        ))}
      </article>
    </Root>
  );
}

import Container from '@mui/material/Container';
import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Mark } from '../../shared/ui/Mark.tsx';

const Root = styled('footer')(({ theme: { vars, breakpoints, spacing } }) => {
  const { palette } = vars;
  return {
    padding: spacing(5, 0),
    borderTop: `1px solid ${palette.divider}`,
    background: palette.background.sunken,
    fontSize: 14,
    lineHeight: 1.6,
    color: palette.text.secondary,
    [breakpoints.up('md')]: { padding: spacing(6, 0) },
    '& .top': { display: 'grid', gap: 32, [breakpoints.up('md')]: { gridTemplateColumns: '1fr auto', gap: 48 } },
    '& .brand': { display: 'flex', alignItems: 'center', gap: 10, fontSize: 20, fontWeight: 700, color: palette.text.primary },
    '& small': { fontSize: 15, fontWeight: 500, color: palette.text.secondary },
    '& .brand + p': { marginTop: 12, maxWidth: '26em' },
    '& .links': {
      display: 'grid',
      gap: 16,
      gridTemplateColumns: 'repeat(3,1fr)',
      [breakpoints.up('md')]: { gridTemplateColumns: 'repeat(3,auto)', gap: 56 },
    },
    '& h2': { fontSize: 14, fontWeight: 600, lineHeight: 1.6, marginBottom: 4, color: palette.text.primary },
    '& a': { display: 'inline-flex', alignItems: 'center', minHeight: 32, color: 'inherit', textDecoration: 'none' },
    '& a:hover': { textDecoration: 'underline' },
    '& .fine': {
      marginTop: 32,
      paddingTop: 24,
      borderTop: `1px solid ${palette.divider}`,
      fontSize: 13,
      display: 'grid',
      gap: 8,
    },
    '& b': { fontWeight: 600, color: palette.text.primary },
  };
});

/** The foot of the open pages: where else to go, whom we do not belong to, and that the portal's terms are one's own to read. */
export function OpenFooter() {
  const { t } = useTranslation();
  const language = useLanguage();
  const columns = [
    {
      title: t('open.product'),
      links: [
        { href: `${paths.home}#showcase`, label: t('open.showcase') },
        { href: paths.faq, label: t('nav.faq') },
        { href: paths.status, label: t('nav.status') },
      ],
    },
    {
      title: t('open.account'),
      links: [
        { href: paths.login, label: t('nav.login') },
        { href: paths.register, label: t('nav.register') },
        { href: paths.forgot, label: t('open.forgot') },
      ],
    },
    {
      title: t('open.about'),
      links: [
        { href: paths.privacy, label: t('footer.privacy') },
        { href: `${paths.home}#contact`, label: t('open.contact') },
      ],
    },
  ];
  return (
    <Root>
      <Container>
        <div className="top">
          <div>
            <div className="brand">
              <Mark />
              {t('brand.name')}
              {language === 'zh' && <small lang="en">{t('brand.latin')}</small>}
            </div>
            <p>{t('open.tagline')}</p>
          </div>
          <div className="links">
            {columns.map((column) => (
              <nav key={column.title} aria-label={column.title}>
                <h2>{column.title}</h2>
                <ul>
                  {column.links.map((link) => (
                    <li key={link.href}>
                      <a href={link.href}>{link.label}</a>
                    </li>
                  ))}
                </ul>
              </nav>
            ))}
          </div>
        </div>
        <div className="fine">
          <p>
            <b>{t('open.independent')}</b>
          </p>
          <p>{t('open.terms')}</p>
          <p>{t('open.rights')}</p>
        </div>
      </Container>
    </Root>
  );
}

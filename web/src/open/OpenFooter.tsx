import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { paths } from '../routes/paths.ts';
import { Mark } from '../ui/Mark.tsx';

/** The foot of the open pages: where else to go, whom we do not belong to, and that the portal's terms are one's own to read. */
export function OpenFooter() {
  const { t } = useTranslation();
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
    <Box
      component="footer"
      sx={{ bgcolor: 'background.sunken', borderTop: 1, borderColor: 'divider', py: { xs: 4, md: 6 }, fontSize: 14 }}
    >
      <Container sx={{ display: 'grid', gap: { xs: 4, md: 6 } }}>
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr 1fr', md: '2fr 1fr 1fr 1fr' } }}>
          <Box sx={{ gridColumn: { xs: '1 / -1', md: 'auto' } }}>
            <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, fontSize: 18, fontWeight: 700 }}>
              <Mark />
              {t('brand.name')}
            </Box>
            <Typography variant="body2" color="textSecondary" sx={{ mt: 1, maxWidth: '26em' }}>
              {t('open.tagline')}
            </Typography>
          </Box>
          {columns.map((column) => (
            <nav key={column.title} aria-label={column.title}>
              <Typography component="h2" variant="label">
                {column.title}
              </Typography>
              <Box component="ul" sx={{ mt: 0.5 }}>
                {column.links.map((link) => (
                  <li key={link.href}>
                    <Box
                      component="a"
                      href={link.href}
                      sx={{
                        display: 'inline-flex',
                        alignItems: 'center',
                        minHeight: 32,
                        color: 'text.secondary',
                        textDecoration: 'none',
                        '&:hover': { textDecoration: 'underline' },
                      }}
                    >
                      {link.label}
                    </Box>
                  </li>
                ))}
              </Box>
            </nav>
          ))}
        </Box>
        <Box
          sx={{
            borderTop: 1,
            borderColor: 'divider',
            pt: 3,
            display: 'grid',
            gap: 0.5,
            fontSize: 13,
            lineHeight: 1.6,
            color: 'text.secondary',
          }}
        >
          <p>{t('footer.disclaimer')}</p>
          <p>{t('open.terms')}</p>
        </Box>
      </Container>
    </Box>
  );
}

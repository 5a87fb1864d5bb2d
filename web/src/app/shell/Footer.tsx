import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/routing/paths.ts';
import { Link } from '../../shared/ui/Link.tsx';

/** The line at the foot of every page: whom we do not belong to, privacy, status, and whose clock the times are on. */
export function Footer() {
  const { t } = useTranslation();
  return (
    <Container component="footer" sx={{ pt: 3, pb: 4, fontSize: 13, lineHeight: 1.55, color: 'text.tertiary' }}>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: '6px 20px',
          '& a': { textDecoration: 'none', minHeight: 24 },
          '& a:hover': { textDecoration: 'underline' },
        }}
      >
        <span>{t('footer.disclaimer')}</span>
        <Link to={paths.privacy}>{t('footer.privacy')}</Link>
        <Link to={paths.status}>{t('footer.status')}</Link>
        <Link to={paths.faq}>{t('footer.faq')}</Link>
        <span>{t('footer.times')}</span>
      </Box>
    </Container>
  );
}

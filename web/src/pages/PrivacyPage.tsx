import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { Words } from '../i18n/words.ts';
import { usePageTitle } from '../lib/usePageTitle.ts';

const parts: [Words, Words][] = [
  ['privacy.whoTitle', 'privacy.whoText'],
  ['privacy.storedTitle', 'privacy.storedText'],
  ['privacy.passwordTitle', 'privacy.passwordText'],
  ['privacy.accessTitle', 'privacy.accessText'],
  ['privacy.actTitle', 'privacy.actText'],
  ['privacy.shareTitle', 'privacy.shareText'],
  ['privacy.deleteTitle', 'privacy.deleteText'],
  ['privacy.browserTitle', 'privacy.browserText'],
];

/** /privacy: what is stored, how it is encrypted, who sees it, how it goes away. */
export function PrivacyPage() {
  const { t } = useTranslation();
  usePageTitle(t('privacy.title'));
  return (
    <Container sx={{ py: { xs: 2.5, md: 5 }, maxWidth: '840px !important' }}>
      <Typography variant="h3" component="h1">
        {t('privacy.title')}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 0.5, mb: 2.5 }}>
        {t('privacy.lead')}
      </Typography>
      <Card sx={{ p: { xs: 2, sm: 3 }, display: 'grid', gap: 3 }}>
        {parts.map(([title, text]) => (
          <Box key={title} component="section">
            <Typography variant="h6" component="h2">
              {t(title)}
            </Typography>
            <Typography color="textSecondary">{t(text)}</Typography>
          </Box>
        ))}
      </Card>
    </Container>
  );
}

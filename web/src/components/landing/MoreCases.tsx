import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/Icon.tsx';

/** Where more is told: the operator's account elsewhere. Nothing when there is none. */
export function MoreCases({ account }: { account: string | null | undefined }) {
  const { t } = useTranslation();
  if (!account) return null;
  return (
    <Container sx={{ mt: { xs: -2, md: -8 }, mb: { xs: 6, md: 14 } }}>
      <Card sx={{ p: 2.5, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Box sx={{ color: 'primary.main' }}>
          <Icon name="note" size={24} />
        </Box>
        <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
          <Typography component="h3" sx={{ fontSize: 16, fontWeight: 600 }}>
            {t('gallery.more')}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {t('gallery.moreText', { account })}
          </Typography>
        </Box>
        <Button href="#contact" variant="soft">
          {t('gallery.moreButton')}
        </Button>
      </Card>
    </Container>
  );
}

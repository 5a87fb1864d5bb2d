import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { useOnline } from '../shared/hooks/useOnline.ts';
import { Icon } from '../shared/legacy/Icon.tsx';
import { reloadForNewBuild } from '../shared/pwa/newBuild.ts';
import { paths } from '../shared/routing/paths.ts';
import { CopyButton } from '../shared/ui/CopyButton.tsx';

/** What browsers say when a page's own part does not come: a newer version was put up, or the network failed. */
const PART_MISSING =
  /dynamically imported module|importing a module script failed|loading (css )?chunk|unable to preload css|the words of \w+ did not come/i;

function messageOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** What support needs to find the cause. The address goes without its query, which may hold a token. */
function detailsOf(error: unknown, at: string): string {
  const lines = [messageOf(error), window.location.pathname, at, document.documentElement.lang, navigator.userAgent];
  const stack = error instanceof Error ? error.stack?.split('\n').slice(1, 6) : [];
  return [...lines, ...(stack ?? [])].map((line) => line.trim().replace(/\?[^\s:)]*/g, '')).join('\n');
}

/** What is shown when a page throws: plain words, a reload, a way home, and the details for support. */
export function RouteError() {
  const { t } = useTranslation();
  const error = useRouteError();
  const [at] = useState(() => new Date().toISOString());
  const online = useOnline();
  const details = detailsOf(error, at);
  const partMissing = PART_MISSING.test(messageOf(error));
  // The address is already that of the page which did not come: it opens there, in the new version.
  useEffect(() => {
    if (partMissing) void reloadForNewBuild();
  }, [partMissing]);
  const cause = online ? t('error.newVersion') : t('error.offline');
  return (
    <Container sx={{ py: { xs: 3, md: 8 }, maxWidth: '688px !important' }} role="alert">
      <Card sx={{ p: { xs: 2.5, sm: 4 } }}>
        <Box sx={{ color: 'warning.ink', mb: 1.5 }}>
          <Icon name="alert" size={32} />
        </Box>
        <Typography variant="h3" component="h1">
          {t('error.title')}
        </Typography>
        <Typography sx={{ mt: 1, mb: 3 }} color="textSecondary">
          {partMissing ? cause : t('error.text')}
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Button onClick={() => window.location.reload()}>{t('error.reload')}</Button>
          <Button href={paths.home} variant="outlined">
            {t('error.home')}
          </Button>
        </Box>
        <Box component="details" sx={{ mt: 4, fontSize: 14 }}>
          <Box component="summary" sx={{ cursor: 'pointer', fontWeight: 600, minHeight: 24, color: 'text.secondary' }}>
            {t('error.details')}
          </Box>
          <Box
            component="pre"
            // A block that scrolls must be reachable by keyboard.
            tabIndex={0}
            sx={{
              my: 1.5,
              p: 1.5,
              borderRadius: '12px',
              bgcolor: 'background.sunken',
              fontFamily: 'var(--font-mono)',
              fontSize: 12,
              whiteSpace: 'pre-wrap',
              overflowWrap: 'anywhere',
            }}
          >
            {details}
          </Box>
          <CopyButton label={t('error.copy')} text={details} />
        </Box>
      </Card>
    </Container>
  );
}

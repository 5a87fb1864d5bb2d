import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { DemoRibbon } from '../components/shell/DemoRibbon.tsx';
import { GuestActions } from '../components/shell/GuestActions.tsx';
import { Header } from '../components/shell/Header.tsx';
import { useAlive } from '../lib/useAlive.ts';
import { useIdentity } from '../lib/useIdentity.ts';
import { FaqPage } from '../pages/FaqPage.tsx';
import { LandingPage } from '../pages/landing/LandingPage.tsx';
import { PrivacyPage } from '../pages/PrivacyPage.tsx';
import { paths } from '../routes/paths.ts';
import { modeStorageKey, theme } from '../theme/theme.ts';
import { type Facts, FactsProvider, If, type template } from './facts.tsx';
import { OpenFooter } from './OpenFooter.tsx';
import { OpenNav } from './OpenNav.tsx';
import type { OpenPage } from './pages.ts';

const Member = lazy(async () => ({ default: (await import('./Member.tsx')).Member }));
const Toasts = lazy(async () => ({ default: (await import('../components/shell/Toasts.tsx')).Toasts }));
const pages = { home: LandingPage, faq: FaqPage, privacy: PrivacyPage } as const;

interface Props {
  page: OpenPage;
  /** What the server says of itself; a template while the document is made. */
  facts: Facts | typeof template;
}

/** An open page with its frame: no router, no query cache; what only members need comes when there is one. */
export function OpenApp({ page, facts }: Props) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const alive = useAlive();
  const Page = pages[page];
  return (
    <ThemeProvider theme={theme} defaultMode="system" modeStorageKey={modeStorageKey}>
      <FactsProvider facts={facts}>
        <CssBaseline />
        <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100vh' }}>
          <Button href="#main" sx={{ position: 'absolute', left: 16, top: -80, zIndex: 1300, '&:focus': { top: 10 } }}>
            {t('shell.skip')}
          </Button>
          <If fact="demo">
            <DemoRibbon demo />
          </If>
          <Header
            home={paths.home}
            nav={<OpenNav page={page} />}
            bare={false}
            account={
              identity ? (
                <Suspense fallback={null}>
                  <Member identity={identity} />
                </Suspense>
              ) : (
                <GuestActions />
              )
            }
          />
          <Box component="main" id="main" tabIndex={-1} sx={{ flex: 1, outline: 'none' }}>
            <Page />
          </Box>
          <OpenFooter />
        </Box>
        {alive && (
          <Suspense fallback={null}>
            <Toasts />
          </Suspense>
        )}
      </FactsProvider>
    </ThemeProvider>
  );
}

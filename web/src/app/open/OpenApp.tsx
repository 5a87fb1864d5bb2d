import Box from '@mui/material/Box';
import { type ComponentType, useEffect } from 'react';
import { type Facts, FactsProvider, type template } from '../../shared/api/facts.tsx';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { AppUiWords } from '../../shared/i18n/AppUiWords.tsx';
import { withWords } from '../../shared/i18n/speak.ts';
import { ThemeRoot } from '../../shared/legacy/theme/ThemeRoot.tsx';
import { late } from '../../shared/pwa/late.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { Header } from '../shell/Header.tsx';
import { ToastHost } from '../shell/ToastHost.tsx';
import { OpenNav } from './OpenNav.tsx';
import type { OpenPage } from './pages.ts';

const Member = late(() => withWords('member', async () => (await import('./Member.tsx')).Member));

/** What an open page is made of. Which parts are static in the browser is said in liveParts.tsx. */
export interface OpenParts {
  /** The rules of all pages: in the document, those that it uses itself. */
  Base: ComponentType;
  Skip: ComponentType;
  Ribbon: ComponentType;
  /** The ways in, in the header. */
  Guest: ComponentType;
  /** The page itself. */
  Content: ComponentType;
  Footer: ComponentType;
}

interface Props {
  page: OpenPage;
  parts: OpenParts;
  /** What the server says of itself; a template while the document is made. */
  facts: Facts | typeof template;
}

/** An open page with its frame: no router, no query cache; what only members need comes when there is one. */
export function OpenApp({ page, parts, facts }: Props) {
  const identity = useIdentity();
  // open/loader.ts guesses it before the first frame: what is only for guests, or only for members, is hidden by it.
  const member = identity !== null;
  useEffect(() => void document.documentElement.toggleAttribute('data-member', member), [member]);
  return (
    <ThemeRoot>
      <FactsProvider facts={facts}>
        <AppUiWords>
          <parts.Base />
          <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100vh' }}>
            <parts.Skip />
            <parts.Ribbon />
            <Header
              home={paths.home}
              nav={<OpenNav page={page} />}
              bare={false}
              account={
                identity ? (
                  <Member identity={identity} />
                ) : (
                  <Box sx={{ display: 'contents', '[data-member] &': { display: 'none' } }}>
                    <parts.Guest />
                  </Box>
                )
              }
            />
            <Box component="main" id="main" tabIndex={-1} sx={{ flex: 1, outline: 'none' }}>
              <parts.Content />
            </Box>
            <parts.Footer />
          </Box>
          <ToastHost />
        </AppUiWords>
      </FactsProvider>
    </ThemeRoot>
  );
}

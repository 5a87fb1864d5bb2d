import '../../shared/theme/tokens.css';
import pieces from 'virtual:words/open';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { enhance } from '../../features/site/landing/enhance.ts';
import { readFacts } from '../../shared/api/facts.tsx';
import { toLanguage } from '../../shared/i18n/language.ts';
import { speak } from '../../shared/i18n/speak.ts';
import { registerWorker } from '../../shared/pwa/registerWorker.ts';
import { followThemeColor } from '../../shared/theme/themeColor.ts';
import { liveParts } from './liveParts.tsx';
import { meetMember } from './member.ts';
import { OpenApp } from './OpenApp.tsx';
import { openPageAt } from './pages.ts';

const root = document.getElementById('root');
const page = openPageAt(window.location.pathname);
if (!root || !page) throw new Error('this document is not an open page');

/** Makes the page live, in the language it was rendered in; resolves when it can be pressed. */
export async function live(): Promise<void> {
  if (!root || !page) return;
  await Promise.all([speak(pieces, 'open', toLanguage(root.dataset.lang)), meetMember()]);
  hydrateRoot(
    root,
    <StrictMode>
      <OpenApp page={page} parts={liveParts(page)} facts={readFacts()} />
    </StrictMode>,
  );
  enhance(document);
  followThemeColor();
  registerWorker();
  // Twice: the first frame is React's, the second sees what it did.
  await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

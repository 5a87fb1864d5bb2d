import '../../shared/theme/fonts.css';
import GlobalStyles from '@mui/material/GlobalStyles';
import type { Theme } from '@mui/material/styles';
import i18next from 'i18next';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { initReactI18next } from 'react-i18next';
import { pay as en } from '../../shared/i18n/en.json';
import { htmlLang, type Language } from '../../shared/i18n/language.ts';
import { pay as zh } from '../../shared/i18n/zh.json';
import { ThemeRoot, ThemeVariables } from '../../shared/legacy/theme/ThemeRoot.tsx';
import { PayPage } from './PayPage.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('pay.html has no #root');

// The page that frames this one chose language and colours; nothing of it is kept here.
const wanted = new URLSearchParams(window.location.search);
const language: Language = wanted.get('lang') === 'en' ? 'en' : 'zh';
const mode = wanted.get('theme') === 'dark' ? 'dark' : 'light';
document.documentElement.lang = htmlLang[language];
document.documentElement.dataset.theme = mode;

i18next
  .use(initReactI18next)
  .init({
    lng: language,
    fallbackLng: 'zh',
    resources: { en: { translation: { pay: en } }, zh: { translation: { pay: zh } } },
    interpolation: { escapeValue: false },
  })
  .then(() => {
    createRoot(root).render(
      <StrictMode>
        <ThemeRoot>
          <ThemeVariables />
          <GlobalStyles
            styles={(theme: Theme) => ({
              '*': { boxSizing: 'border-box' },
              body: { margin: 0, background: 'transparent', color: theme.vars?.palette.text.primary, ...theme.typography.body2 },
            })}
          />
          <PayPage language={language} mode={mode} framed={window.parent !== window} />
        </ThemeRoot>
      </StrictMode>,
    );
  });

import '../../shared/theme/tokens.css';
import '../../shared/theme/base.css';
import '../../shared/theme/systemFonts.css';
import '../../shared/theme/fonts.css';
import './page.css';
import i18next from 'i18next';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { initReactI18next } from 'react-i18next';
import { htmlLang, type Language } from '../../shared/i18n/language.ts';
import { PayPage } from './PayPage.tsx';
import en from './words/en.json';
import zh from './words/zh.json';

const root = document.getElementById('root');
if (!root) throw new Error('pay.html has no #root');

// The parent page passes language and colours in the address. This page stores nothing.
const wanted = new URLSearchParams(window.location.search);
const language: Language = wanted.get('lang') === 'en' ? 'en' : 'zh';
document.documentElement.lang = htmlLang[language];
document.documentElement.dataset.theme = wanted.get('theme') === 'dark' ? 'dark' : 'light';

i18next
  .use(initReactI18next)
  .init({
    lng: language,
    fallbackLng: 'zh',
    resources: { en: { translation: en }, zh: { translation: zh } },
    interpolation: { escapeValue: false },
  })
  .then(() => {
    createRoot(root).render(
      <StrictMode>
        <PayPage language={language} framed={window.parent !== window} />
      </StrictMode>,
    );
  });

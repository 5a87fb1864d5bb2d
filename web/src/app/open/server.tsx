import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import createEmotionServer from '@emotion/server/create-instance';
import i18next from 'i18next';
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import { initReactI18next } from 'react-i18next';
import { faqData } from '../../features/site/faq/faqItems.ts';
import { template, unbrokenMark } from '../../shared/api/facts.tsx';
import en from '../../shared/i18n/en.json';
import { unbroken } from '../../shared/i18n/format.ts';
import { htmlLang, type Language } from '../../shared/i18n/language.ts';
import zh from '../../shared/i18n/zh.json';
import { documentParts } from './documentParts.tsx';
import { OpenApp } from './OpenApp.tsx';
import { type OpenPage, openPages } from './pages.ts';

/** A page as the document needs it. */
export interface Rendered {
  html: string;
  /** All rules that its components wrote. */
  css: string;
  lang: string;
  title: string;
  description: string;
  path: string;
  /** What search engines are told of it, or null. */
  data: object | null;
}

const ready = i18next.use(initReactI18next).init({
  resources: { zh: { translation: zh }, en: { translation: en } },
  lng: 'zh',
  fallbackLng: 'zh',
  interpolation: { escapeValue: true, escape: (text) => unbroken(unbrokenMark(text)) },
  returnNull: false,
});

async function text(stream: ReadableStream): Promise<string> {
  return new Response(stream).text();
}

/** Renders a page in a language; what only the server knows is marked (facts.tsx). */
export async function render(page: OpenPage, language: Language): Promise<Rendered> {
  await ready;
  await i18next.changeLanguage(language);
  const cache = createCache({ key: 'css' });
  const { extractCriticalToChunks } = createEmotionServer(cache);
  const failures: unknown[] = [];
  const { prelude } = await prerender(
    <CacheProvider value={cache}>
      <StrictMode>
        <OpenApp page={page} parts={documentParts(page)} facts={template} />
      </StrictMode>
    </CacheProvider>,
    // Everything in its place: the scripts that would move late parts there are forbidden by the page's policy.
    { progressiveChunkSize: Number.POSITIVE_INFINITY, onError: (error) => void failures.push(error) },
  );
  // React would leave the part to the browser: a document without it is none.
  if (failures.length > 0) throw failures[0];
  const html = await text(prelude);
  const { path, title, description } = openPages[page];
  return {
    html,
    css: extractCriticalToChunks(html)
      .styles.map((style) => style.css)
      .join(''),
    lang: htmlLang[language],
    title: i18next.t(title),
    description: i18next.t(description),
    path,
    data: page === 'faq' ? faqData((key) => i18next.t(key)) : null,
  };
}

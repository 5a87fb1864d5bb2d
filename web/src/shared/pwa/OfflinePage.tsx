import { htmlLang, type Language } from '../i18n/language.ts';
import { offlineTexts } from './offlineTexts.ts';

/**
 * Renders the illustration: a phone without connection, and a calendar whose monitoring continues.
 */
function Scene() {
  const days = [0, 1, 2, 3].flatMap((x) => [0, 1, 2].map((y) => ({ x: 280 + x * 20, y: 54 + y * 18 })));
  return (
    <svg className="scene" viewBox="0 0 392 132" fill="none" aria-hidden="true">
      <rect x="24" y="14" width="60" height="104" rx="12" fill="var(--faint)" stroke="var(--line)" strokeWidth="2" />
      <path d="M46 26h16M42 52h24M42 64h24M42 76h14" stroke="var(--line)" strokeWidth="4" strokeLinecap="round" />
      <path d="M96 66h56M196 66h56" stroke="var(--line)" strokeWidth="4" strokeLinecap="round" strokeDasharray="1 12" />
      <path d="m164 56 20 20m0-20-20 20" stroke="var(--quiet)" strokeWidth="4" strokeLinecap="round" />
      <rect x="264" y="18" width="104" height="96" rx="14" fill="var(--faint)" stroke="var(--soft)" strokeWidth="2" />
      <path d="M264 44h104" stroke="var(--soft)" strokeWidth="2" />
      <path d="M290 10v16M342 10v16" stroke="var(--main)" strokeWidth="5" strokeLinecap="round" />
      <g fill="var(--soft)">
        {days.map(({ x, y }) => (
          <rect key={`${x} ${y}`} x={x} y={y} width="12" height="12" rx="4" />
        ))}
      </g>
      <rect x="320" y="72" width="12" height="12" rx="4" fill="var(--main)" />
      <circle className="beat" cx="326" cy="78" r="11" stroke="var(--main)" strokeWidth="2.5" />
    </svg>
  );
}

function InLanguage({ language, mark }: { language: Language; mark: string }) {
  const texts = offlineTexts[language];
  return (
    <main lang={htmlLang[language]}>
      <div className="brand">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the product's logo */}
        <i dangerouslySetInnerHTML={{ __html: mark }} />
        <span>{texts.brand}</span>
      </div>
      <section>
        <Scene />
        <div className="unreachable">
          <h1>{texts.unreachable}</h1>
          <p>{texts.unreachableText}</p>
        </div>
        <div className="server">
          <h1>{texts.server}</h1>
          <p>{texts.serverText}</p>
        </div>
        <button type="button">
          <span className="idle">{texts.retry}</span>
          <span className="busy">{texts.looking}</span>
        </button>
        <p className="small">
          {texts.byItself}
          <br />
          {texts.tried} <time />
        </p>
      </section>
    </main>
  );
}

/**
 * Renders the page that appears if the server is unreachable (pages/offline.astro), in both
 * languages. `mark` is the logo as SVG.
 */
export function OfflinePage({ mark }: { mark: string }) {
  return (
    <>
      <InLanguage language="zh" mark={mark} />
      <InLanguage language="en" mark={mark} />
    </>
  );
}

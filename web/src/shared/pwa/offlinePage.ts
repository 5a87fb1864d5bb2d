import { darkPalette, lightPalette, schemeColours } from '../theme/palette.ts';
import { waitForServer } from './offlineScript.ts';
import { offlineWords } from './offlineWords.ts';

type Language = keyof typeof offlineWords;

const styles = `
:root{${schemeColours(lightPalette)};color-scheme:light}
@media(prefers-color-scheme:dark){:root:not([data-theme]){${schemeColours(darkPalette)};color-scheme:dark}}
[data-theme=dark]{${schemeColours(darkPalette)};color-scheme:dark}
*{box-sizing:border-box;margin:0}
html{font:400 16px/1.7 Inter,-apple-system,"PingFang SC","HarmonyOS Sans SC",MiSans,"Microsoft YaHei","Noto Sans SC","Noto Sans CJK SC",sans-serif;
  background:var(--ground);color:var(--text)}
body{min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:24px 16px}
main{width:100%;max-width:440px}
html[lang=en] main:not([lang=en]),html:not([lang=en]) main[lang=en]{display:none}
.brand{display:flex;align-items:center;gap:10px;font-size:18px;font-weight:700;margin-bottom:16px}
.brand svg{width:32px;height:32px}
section{background:var(--paper);border:1px solid var(--line);border-radius:16px;padding:28px 24px}
.scene{display:block;width:100%;height:auto;margin-bottom:20px}
h1{font-size:24px;line-height:1.35;font-weight:700;text-wrap:balance}
p{margin-top:8px;color:var(--quiet)}
[data-missing=server] .unreachable,[data-missing=server] .beat,html:not([data-missing=server]) .server{display:none}
button{font:inherit;font-weight:600;margin-top:20px;width:100%;min-height:48px;border:0;border-radius:24px;cursor:pointer;
  background:var(--main);color:var(--on)}
button:focus-visible{outline:3px solid var(--main);outline-offset:3px}
[data-looking] .idle,html:not([data-looking]) .busy{display:none}
.small{font-size:14px;margin-top:16px}
time{font-variant-numeric:tabular-nums;white-space:nowrap}
.beat{animation:beat 2.4s ease-in-out infinite;transform-box:fill-box;transform-origin:center}
@keyframes beat{50%{transform:scale(1.35);opacity:.55}}
@media(prefers-reduced-motion:reduce){.beat{animation:none}}
`.replace(/\n\s*/g, '');

/** A phone whose line is cut, and a calendar that goes on being watched without it. */
const scene = `<svg class="scene" viewBox="0 0 392 132" fill="none" aria-hidden="true">
<rect x="24" y="14" width="60" height="104" rx="12" fill="var(--faint)" stroke="var(--line)" stroke-width="2"/>
<path d="M46 26h16M42 52h24M42 64h24M42 76h14" stroke="var(--line)" stroke-width="4" stroke-linecap="round"/>
<path d="M96 66h56M196 66h56" stroke="var(--line)" stroke-width="4" stroke-linecap="round" stroke-dasharray="1 12"/>
<path d="m164 56 20 20m0-20-20 20" stroke="var(--quiet)" stroke-width="4" stroke-linecap="round"/>
<rect x="264" y="18" width="104" height="96" rx="14" fill="var(--faint)" stroke="var(--soft)" stroke-width="2"/>
<path d="M264 44h104" stroke="var(--soft)" stroke-width="2"/><path d="M290 10v16M342 10v16" stroke="var(--main)" stroke-width="5" stroke-linecap="round"/>
<g fill="var(--soft)">${[0, 1, 2, 3].map((x) => [0, 1, 2].map((y) => `<rect x="${280 + x * 20}" y="${54 + y * 18}" width="12" height="12" rx="4"/>`).join('')).join('')}</g>
<rect x="320" y="72" width="12" height="12" rx="4" fill="var(--main)"/>
<circle class="beat" cx="326" cy="78" r="11" stroke="var(--main)" stroke-width="2.500"/></svg>`;

function part(language: Language, mark: string): string {
  const words = offlineWords[language];
  return `<main lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<div class="brand">${mark}<span>${words.brand}</span></div>
<section>${scene}
<div class="unreachable"><h1>${words.unreachable}</h1><p>${words.unreachableText}</p></div>
<div class="server"><h1>${words.server}</h1><p>${words.serverText}</p></div>
<button type="button"><span class="idle">${words.retry}</span><span class="busy">${words.looking}</span></button>
<p class="small">${words.byItself}<br>${words.tried} <time></time></p>
</section></main>`;
}

/** The document that is shown when the server cannot be reached: whole in itself, in both languages and both schemes; `mark` is our sign as SVG. */
export function offlinePage(mark: string): string {
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<title>${offlineWords.zh.brand}</title>
<style>${styles}</style>
</head>
<body>
${part('zh', mark)}
${part('en', mark)}
<script>(${waitForServer.toString()})()</script>
</body>
</html>
`;
}

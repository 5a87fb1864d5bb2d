import { darkPalette, lightPalette, schemeColours } from '../theme/palette.ts';

/** Styles of the offline page. They must contain everything, because no other file can load. */
export const offlineStyles = `
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
.brand svg{display:block;width:32px;height:32px}
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

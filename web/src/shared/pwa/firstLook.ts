import { darkPalette, lightPalette } from '../legacy/theme/palette.ts';
import { schemeColours } from './schemeColours.ts';

/** The words that this needs of a locale file. */
interface Words {
  brand: { name: string };
  footer: { disclaimer: string };
}

const css = `
:root{${schemeColours(lightPalette)}}[data-theme=dark]{${schemeColours(darkPalette)}}
body{margin:0;background:var(--ground);color:var(--text);font-family:var(--font);-webkit-font-smoothing:antialiased}
.first{display:flex;flex-direction:column;min-height:100vh}.first *{box-sizing:border-box;margin:0}
.first-in{width:100%;max-width:1200px;margin:0 auto;padding:0 16px}
.first header{background:var(--paper);border-bottom:1px solid var(--line)}
.first header div{display:flex;align-items:center;gap:10px;height:56px;font-size:18px;font-weight:700;line-height:1}
.first header svg{width:32px;height:32px}
.first-card{width:calc(100% - 32px);max-width:440px;margin:24px auto 0;padding:20px;background:var(--paper);border:1px solid var(--line);border-radius:16px}
.first-title{font-size:24px;line-height:1.4;font-weight:700}.first-lead{font-size:14px;line-height:1.6;margin-top:4px;color:var(--quiet)}
.first i{display:block;background:color-mix(in srgb,var(--text) 8%,transparent);border-radius:12px}
.first-retry{font:inherit;font-weight:600;margin-top:20px;width:100%;min-height:48px;border:0;border-radius:24px;cursor:pointer;background:var(--main);color:var(--on)}
.first-page{padding-top:32px;flex:1}.first-page i+i{margin-top:12px}.first-page i:nth-child(n+3){height:220px;margin-top:24px;border-radius:16px}
.first footer{margin-top:auto;padding:24px 16px 32px;font-size:13px;line-height:1.55;color:var(--faintText)}
@media(min-width:600px){.first-in{padding:0 24px}.first-card{padding:28px}}
@media(min-width:900px){.first header div{height:64px;font-size:20px}.first-card{margin-top:64px}}
`.replace(/\n/g, '');

const bar = (width: number, height: number) => `<i style="width:${width}px;max-width:100%;height:${height}px"></i>`;

/** What a page of the app looks like until its code has come: the header and outlines of the rest. */
export function firstLook(words: Words, mark: string): { css: string; html: string } {
  const body = `<div class="first-in first-page">${bar(220, 34)}${bar(320, 18)}${'<i></i>'.repeat(2)}</div>`;
  const html = `<div class="first" aria-hidden="true"><header><div class="first-in">${mark}<span>${words.brand.name}</span></div></header>
${body}<footer class="first-in">${words.footer.disclaimer}</footer></div>`;
  return { css, html };
}

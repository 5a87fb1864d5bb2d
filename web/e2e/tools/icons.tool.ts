import { readFileSync } from 'node:fs';
import { test } from '@playwright/test';
import type { Language } from '../../src/shared/i18n/language.ts';
import { PageTexts } from '../support/pageTexts.ts';

const mark = readFileSync(new URL('../../public/mark.svg', import.meta.url), 'utf8');

/**
 * Renders the icons for phones and shared links from the logo. Run it again when the logo or the
 * texts change.
 */
test('icons', async ({ page }) => {
  const draw = async (file: string, width: number, height: number, body: string) => {
    await page.setViewportSize({ width, height });
    await page.setContent(`<style>*{margin:0}body{width:${width}px;height:${height}px}svg{display:block}</style>${body}`);
    await page.screenshot({ path: `public/${file}`, omitBackground: true });
  };
  const sized = (size: number) => mark.replace('<svg ', `<svg width="${size}" height="${size}" `);
  await draw('icon-192.png', 192, 192, sized(192));
  await draw('icon-512.png', 512, 512, sized(512));
  await draw('apple-touch-icon.png', 180, 180, `<div style="background:#017c6e">${sized(180)}</div>`);
  await draw(
    'icon-maskable-512.png',
    512,
    512,
    `<div style="background:#017c6e;width:512px;height:512px;display:grid;place-items:center">${sized(400)}</div>`,
  );
  for (const language of ['zh', 'en'] satisfies Language[]) {
    const texts = new PageTexts(language);
    await draw(
      `og-${language}.png`,
      1200,
      630,
      `<div style="background:#F4F1EC;color:#111827;width:1200px;height:630px;box-sizing:border-box;padding:88px;
         font-family:'Noto Sans CJK SC',sans-serif;display:grid;align-content:space-between">
         <div style="display:flex;gap:24px;align-items:center;font-size:44px;font-weight:700">${sized(88)} ${texts.text('brand.name')}</div>
         <div style="font-size:76px;font-weight:700;line-height:1.25;text-wrap:balance">${texts.text('landing.title')}<br>${texts.text('landing.title2')}</div>
         <svg width="1024" height="56" viewBox="0 0 1024 56" fill="none">
           <path d="M12 28H1012" stroke="#E7E3DC" stroke-width="12" stroke-linecap="round"/>
           <path d="M180 28H620" stroke="#C3E0DA" stroke-width="12"/>
           <circle cx="14" cy="28" r="14" fill="#FF9800"/><circle cx="360" cy="28" r="22" fill="#017c6e"/>
           <circle cx="1008" cy="28" r="14" fill="#F4F1EC" stroke="#111827" stroke-width="6"/></svg></div>`,
    );
  }
});

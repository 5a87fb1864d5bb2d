import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanup, screen, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderRoutes, STORY_MS, t } from '../../../../mock/wizardKit.tsx';
import { i18nReady } from '../../../shared/i18n/i18n.ts';
import { PrivacyPage } from './PrivacyPage.tsx';
import { browserKeeps, privacyParts } from './privacyParts.ts';

vi.setConfig({ testTimeout: STORY_MS });

beforeEach(() => i18nReady);
afterEach(cleanup);

// spec: 10.13.07
it.each(['zh', 'en'])(
  'lists in %s the stored data, its encryption, its readers, its retention and its deletion',
  async (language) => {
    await i18next.changeLanguage(language);
    renderRoutes({ '/privacy': PrivacyPage }, ['/privacy']);
    const links = within(screen.getByRole('navigation', { name: t('privacy.contents') })).getAllByRole('link');
    expect(links.map((link) => link.textContent)).toEqual(privacyParts.map(({ title }) => t(title)));
    for (const link of links) {
      const part = document.querySelector(link.getAttribute('href') as string) as HTMLElement;
      expect(within(part).getByRole('heading', { level: 2 }).textContent).toBe(link.textContent);
    }
    const textAt = (id: string) => document.getElementById(id)?.textContent ?? '';
    expect(textAt('password')).toMatch(/XChaCha20-Poly1305.*30.*7/);
    expect(textAt('stored')).toMatch(/Argon2id.*180.*24/);
    expect(textAt('others')).toMatch(/Stripe.*Google/);
    expect(screen.getAllByRole('row')).toHaveLength(browserKeeps.length + 1);
  },
);

/** Returns the source files of a folder, recursively. */
const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.(ts|tsx|js)$/.test(path) && !/\.test\.|schema\.ts|privacyParts/.test(path) ? [path] : [];
  });

/** Names of locks, channels and probes. They store nothing. */
const NOT_KEPT = ['sooner.events', 'sooner.session', 'sooner.probe'];

// spec: 10.13.08
it('names every key that the code writes to the browser’s storage', () => {
  const written = new Set<string>();
  for (const path of [...sources('src'), ...sources('public')]) {
    const text = readFileSync(path, 'utf8');
    for (const [, name] of text.matchAll(/['"`](sooner\.[a-zA-Z.]+)['"`]/g)) if (name) written.add(name);
    if (/document\.cookie = `(\w+)=/.test(text)) written.add('lang');
    if (text.includes("'i18nextLng'")) written.add('i18nextLng');
  }
  const listed = new Set(browserKeeps.flatMap(({ names }) => names.map((name) => name.replace('*', ''))));
  expect([...written].filter((name) => !listed.has(name) && !NOT_KEPT.includes(name))).toEqual([]);
  // The server sets a cookie for the registration and for the sign-in with Google. It has one name
  // for plain HTTP and another for HTTPS.
  const preSession = readFileSync('../crates/server/src/auth/pre_session.rs', 'utf8');
  const cookies = [...preSession.matchAll(/^const \w*COOKIE: &str = "([^"]+)";$/gm)].map(([, name]) => name ?? '');
  expect(cookies).toHaveLength(2);
  expect(cookies.filter((name) => !listed.has(name))).toEqual([]);
  const elsewhere = [...cookies, 'Cache Storage'];
  expect([...listed].filter((name) => !written.has(name) && !elsewhere.includes(name))).toEqual([]);
});

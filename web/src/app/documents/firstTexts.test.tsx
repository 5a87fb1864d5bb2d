// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderRoutes, STORY_MS, stage, t } from '../../../mock/wizardKit.tsx';
import { SettingsPage } from '../../features/settings/SettingsPage.tsx';
import { WizardPage } from '../../features/wizard/WizardPage.tsx';
import { queryClient } from '../../shared/api/queries.ts';
import { endSession } from '../../shared/api/session.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { firstTexts, textsIn } from './firstTexts.ts';

vi.setConfig({ testTimeout: STORY_MS });

beforeEach(async () => {
  await i18nReady;
  queryClient.clear();
});
afterEach(() => {
  cleanup();
  endSession();
  vi.unstubAllGlobals();
});

const pages = [
  ['settings', '/settings', SettingsPage],
  ['wizard', '/schedule/wizard', WizardPage],
] as const;

// A text that the page itself does not contain would be visible for a second and then disappear.
it.each(pages.flatMap((page) => ['zh', 'en'].map((language) => [...page, language] as const)))(
  'the skeleton of %s has the texts of the page (%s, %o, %s)',
  async (name, path, Page, language) => {
    await i18next.changeLanguage(language);
    stage();
    renderRoutes({ [path]: Page }, [path]);
    const known = firstTexts[name];
    const texts = known ? textsIn(known) : [];
    expect(texts.length).toBeGreaterThan(5);
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
    const shown = document.body.textContent ?? '';
    for (const key of texts) expect(shown).toContain(t(key));
  },
);

import { act, cleanup, screen } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderRoutes, STORY_MS, stage, t } from '../../../mock/wizardKit.tsx';
import { DashboardPage } from '../../features/dashboard/DashboardPage.tsx';
import { ChannelsPanel } from '../../features/settings/channels/ChannelsPanel.tsx';
import { TaskPage } from '../../features/task/TaskPage.tsx';
import { StepPortal } from '../../features/wizard/StepPortal.tsx';
import { storeMethods } from '../../shared/api/methods.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { endSession } from '../../shared/api/session.ts';
import { isPlainHttp } from '../../shared/browser/plainHttp.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { PlainHttpNote } from '../portalAccount/PlainHttpNote.tsx';

vi.setConfig({ testTimeout: STORY_MS });
vi.mock('../../shared/browser/plainHttp.ts', { spy: true });

const pages = { '/dashboard': DashboardPage, '/schedule/:id': TaskPage };

const none = () => undefined;
const draft = { userId: 'u1', username: '', countryCode: 'en-ca', visaType: 'niv', selected: null, configured: [] };

function Step() {
  return (
    <StepPortal
      draft={draft as never}
      country={draft.countryCode}
      cached={null}
      expired={false}
      password={{ current: '' }}
      onChange={none}
      onVerified={none}
    />
  );
}

function open(email: string, mail: boolean, path: string) {
  const staged = stage(email);
  staged.world.methods = { ...staged.world.methods, mail };
  storeMethods(staged.world.methods);
  renderRoutes(pages, [path]);
  return staged;
}

beforeEach(async () => {
  await i18nReady;
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  cleanup();
  endSession();
  vi.unstubAllGlobals();
});

describe.each(['en', 'zh'])('the warning that no channel works (%s)', (language) => {
  beforeEach(() => i18next.changeLanguage(language));

  it.each(['/dashboard', '/schedule/0193-on'])('is shown on %s, with a link to add a channel', async (path) => {
    open('fresh@example.com', false, path);
    expect(await screen.findByText(t('channels.nobody'))).toBeTruthy();
    const way = screen.getByRole('link', { name: t('channels.nobodyAdd') });
    expect(way.getAttribute('href')).toBe('/settings/notifications');
  });

  it.each([
    ['mail goes out', 'fresh@example.com', true],
    ['a channel works', 'lin@example.com', false],
  ])('is not shown if %s', async (_, email, mail) => {
    const { calls } = open(email, mail, '/dashboard');
    await screen.findAllByRole('article');
    await act(() => new Promise((done) => setTimeout(done, 300)));
    expect(screen.queryByText(t('channels.nobody'))).toBeNull();
    expect(calls('GET /user/channels')).toHaveLength(mail ? 0 : 1);
  });
});

describe.each(['en', 'zh'])('on a page over plain HTTP (%s)', (language) => {
  beforeEach(() => i18next.changeLanguage(language));

  it('warns beside the portal password that others can read it', async () => {
    vi.mocked(isPlainHttp).mockReturnValue(true);
    stage('empty@example.com');
    renderRoutes({ '/': Step }, ['/']);
    expect(await screen.findByText(t('portal.plainHttp'))).toBeTruthy();
  });

  it('states in the settings that browser notifications do not work, unless they do', async () => {
    vi.stubGlobal('isSecureContext', false);
    stage('lin@example.com');
    renderRoutes({ '/': ChannelsPanel }, ['/']);
    expect(await screen.findByText(t('reach.push.plainHttp'))).toBeTruthy();
    cleanup();
    vi.stubGlobal('isSecureContext', true);
    renderRoutes({ '/': ChannelsPanel }, ['/']);
    expect(await screen.findByText(t('reach.add'))).toBeTruthy();
    expect(screen.queryByText(t('reach.push.plainHttp'))).toBeNull();
  });
});

it('gives no warning on localhost or with encryption', () => {
  vi.mocked(isPlainHttp).mockRestore();
  const at = (address: string) => isPlainHttp(new URL(address));
  expect(['http://192.168.1.20:8080', 'http://sooner.lan', 'http://10.0.0.5'].map(at)).toEqual([true, true, true]);
  const fine = [
    'http://localhost:5173',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'https://192.168.1.20',
    'http://a.localhost',
  ];
  expect(fine.map(at)).toEqual(fine.map(() => false));
  renderRoutes({ '/': PlainHttpNote }, ['/']);
  expect(document.body.textContent).toBe('');
});

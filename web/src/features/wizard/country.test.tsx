import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, fail, ok } from '../../../mock/api.ts';
import { opened } from '../../../mock/countries.ts';
import { press, reload, STORY_MS, signIn, stage, t, VERIFY } from '../../../mock/wizardKit.tsx';
import { queryClient } from '../../shared/api/queries.ts';
import { endSession } from '../../shared/api/session.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { forgetWizard } from './wizardDraft.ts';

vi.setConfig({ testTimeout: STORY_MS });

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  cleanup();
  endSession();
  forgetWizard();
});

const field = () => screen.getByLabelText(t('portal.country'), { selector: 'button' });

/** Opens step 1 of an operator who has opened these countries. */
async function openStep(...codes: string[]) {
  const wizard = stage();
  wizard.replies.set('GET /facilities', () => ok(opened(...codes)));
  const { router } = wizard.open();
  await screen.findByText(t('portal.title'));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  return { ...wizard, router };
}

/**
 * Opens the list of countries by keyboard and returns its search field, once that has the focus.
 * It gets the focus one frame after the list opens, and earlier keys would reach the button.
 */
async function openList() {
  field().focus();
  fireEvent.click(field());
  const input = await screen.findByRole('combobox', { name: t('portal.countrySearch') });
  await waitFor(() => expect(document.activeElement).toBe(input));
  return input;
}

/** Waits until this is the only option and Enter would choose it. */
const highlighted = (start: string) =>
  waitFor(() => {
    expect(listed()).toHaveLength(1);
    expect(option(start).hasAttribute('data-highlighted')).toBe(true);
  });

const listed = () => within(screen.getByRole('listbox')).queryAllByRole('option');
/** Types into the search field. Without `inputType`, Base UI would highlight no option. */
const search = (input: HTMLElement, text: string) => fireEvent.input(input, { target: { value: text }, inputType: 'insertText' });
const option = (start: string) => listed().find((one) => one.textContent?.startsWith(start)) as HTMLElement;

describe('the list of countries', () => {
  it('starts with Canada and the open countries, then lists the others with the reason', async () => {
    await openStep('en-pe', 'en-mx');
    await openList();
    expect(listed().map((one) => [one.textContent, one.getAttribute('aria-disabled')])).toEqual([
      ['Canada', null],
      ['Mexico', null],
      ['Peru', null],
      ['Ireland · not opened hereDublin', 'true'],
      ['United Kingdom · not opened hereBelfast, London', 'true'],
      ['China · uses another systemBeijing, Shanghai, Guangzhou, Chengdu, Shenyang', 'true'],
      ['United States · uses another system', 'true'],
      ['India · uses another systemNew Delhi', 'true'],
      ['Greece · no longer on the portal', 'true'],
    ]);
  });

  it('sorts the names of the open countries in the reader’s language', async () => {
    await i18next.changeLanguage('zh');
    await openStep('en-pe', 'en-mx', 'en-ie');
    await openList();
    expect(
      listed()
        .map((one) => one.textContent)
        .slice(0, 4),
    ).toEqual(['加拿大', '爱尔兰', '秘鲁', '墨西哥']);
  });

  it.each([
    ['en', 'mex', ['Mexico']],
    ['en', '墨西哥', ['Mexico']],
    ['en', 'mx', ['Mexico']],
    ['en', 'IN', ['India · uses another systemNew Delhi']],
    ['en', 'lima', ['PeruLima']],
    ['en', '渥太华', ['CanadaOttawa']],
    ['zh', 'Peru', ['秘鲁']],
    ['zh', '都柏林', ['爱尔兰 · 本站未开通都柏林']],
    ['zh', 'guadalajára', ['墨西哥瓜达拉哈拉']],
    ['zh', 'uk', ['英国 · 本站未开通贝尔法斯特、伦敦']],
    ['zh', 'atlantis', []],
  ])('finds countries in %s by name, code and city: %s', async (language, text, names) => {
    await i18next.changeLanguage(language);
    await openStep('en-pe', 'en-mx');
    search(await openList(), text);
    await waitFor(() => expect(listed()[0]?.textContent).toBe(names[0]));
    if (names.length === 0) expect(await screen.findByText(t('portal.countryNone'))).toBeTruthy();
  });

  it('is opened, searched and left by keyboard, and the verification names the chosen country', async () => {
    const { calls, replies } = await openStep('en-mx');
    replies.set(VERIFY, () => new Promise(() => undefined));
    const user = userEvent.setup();
    field().focus();
    await user.keyboard('{ArrowDown}');
    const input = await screen.findByRole('combobox', { name: t('portal.countrySearch') });
    await waitFor(() => expect(document.activeElement).toBe(input));
    await user.keyboard('mexi');
    await highlighted('Mexico');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(field().textContent).toBe('Mexico'));
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await signIn();
    await waitFor(() => expect(calls(VERIFY)[0]?.body.country_code).toBe('en-mx'));
  });
});

it('names the dialog and the list of countries like the field', async () => {
  await openStep();
  await openList();
  expect(screen.getByRole('dialog', { name: t('portal.country') })).toBeTruthy();
  expect(screen.getByRole('listbox', { name: t('portal.country') })).toBeTruthy();
});

describe('a country that is not open', () => {
  it.each([
    ['en', 'Peru', 'We cannot monitor appointments there yet: Peru.'],
    ['zh', '秘鲁', '我们暂时不能监控秘鲁的面签'],
  ])('is explained in %s, and Canada is verified', async (language, name, reason) => {
    await i18next.changeLanguage(language);
    const { calls, replies } = await openStep();
    replies.set(VERIFY, () => new Promise(() => undefined));
    await openList();
    fireEvent.click(option(name));
    expect((await screen.findByText((text) => text.startsWith(reason))).closest('[aria-live]')).toBeTruthy();
    expect(field().textContent).toBe(language === 'zh' ? '加拿大' : 'Canada');
    await signIn();
    await waitFor(() => expect(calls(VERIFY)[0]?.body.country_code).toBe('en-ca'));
  });

  it('has a link to its official site below the field, until another country is chosen', async () => {
    await openStep('en-mx');
    search(await openList(), '中国');
    await highlighted('China');
    const user = userEvent.setup();
    await user.keyboard('{Enter}');
    const link = await screen.findByRole('link', { name: 'Official site: China' });
    expect(link.getAttribute('href')).toBe('https://www.usvisascheduling.com/');
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.tab();
    expect(document.activeElement).toBe(link);
    await openList();
    fireEvent.click(option('Mexico'));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Official site: China' })).toBeNull());
  });

  it('is replaced by the first open country if the operator has not opened Canada', async () => {
    const wizard = stage();
    const countries = opened('en-pe').countries.map((one) =>
      one.code === 'en-ca' ? { ...one, available: false, state: 'known' as const } : one,
    );
    wizard.replies.set('GET /facilities', () => ok({ countries }));
    wizard.replies.set(VERIFY, () => new Promise(() => undefined));
    wizard.open();
    await waitFor(() => expect(field().textContent).toBe('Peru'));
    expect(screen.getByText(/^Not opened by the operator of this site: Canada\. .* Selected: Peru\.$/)).toBeTruthy();
    await signIn();
    await waitFor(() => expect(wizard.calls(VERIFY)[0]?.body.country_code).toBe('en-pe'));
  });
});

describe('while the countries are unknown', () => {
  const failing = () => {
    const wizard = stage();
    wizard.replies.set('GET /facilities', () => fail(503, 'UNAVAILABLE', 'busy'));
    wizard.open();
    return wizard;
  };

  it('nothing is verified after a failure, and a button loads them again', async () => {
    const { calls, replies } = failing();
    expect(await screen.findByText(t('portal.countriesFailed'))).toBeTruthy();
    expect(field().textContent).toBe(t('portal.countryUnknown'));
    await openList();
    expect(screen.getByRole('dialog').textContent).toContain(t('portal.countriesFailed'));
    await userEvent.setup().keyboard('{Escape}');
    await signIn();
    await waitFor(() => expect(document.activeElement).toBe(field()));
    expect(calls(VERIFY)).toEqual([]);

    replies.set('GET /facilities', () => ok(opened('en-mx')));
    replies.set(VERIFY, () => new Promise(() => undefined));
    press('problem.retry');
    await waitFor(() => expect(field().textContent).toBe('Canada'));
    await waitFor(() => expect(document.activeElement).toBe(field()));
    expect(screen.queryByText(t('problem.retry'))).toBeNull();
    press('portal.verify');
    await waitFor(() => expect(calls(VERIFY)[0]?.body.country_code).toBe('en-ca'));
  });

  it('nothing is verified, and a slow request is explained', async () => {
    const wizard = stage();
    let arrive: (answer: Answer) => void = () => undefined;
    wizard.replies.set('GET /facilities', () => new Promise<Answer>((resolve) => (arrive = resolve)));
    wizard.replies.set(VERIFY, () => new Promise(() => undefined));
    wizard.open();
    await signIn();
    await waitFor(() => expect(document.activeElement).toBe(field()));
    expect(field().textContent).toBe(t('portal.countriesLoading'));
    expect(await screen.findByText(t('portal.countriesSlow'))).toBeTruthy();
    expect(wizard.calls(VERIFY)).toEqual([]);
    arrive(ok(opened('en-mx')));
    await waitFor(() => expect(field().textContent).toBe('Canada'));
    await waitFor(() => expect(screen.queryByText(t('portal.countriesSlow'))).toBeNull());
  });

  it('data of an earlier verification cannot be continued', async () => {
    const first = await openStep();
    await signIn();
    await waitFor(() => expect(first.router.state.location.search).toBe('?step=2'));
    reload();
    failing();
    expect(await screen.findByText(t('portal.countriesFailed'))).toBeTruthy();
    expect(screen.queryByText(t('wizard.goOn'))).toBeNull();
  });
});

it('shows a page for a stored draft with a damaged country', async () => {
  const draft = { userId: 'u1', username: 'lin@portal.example', countryCode: 'Canada', visaType: 'niv' };
  sessionStorage.setItem('sooner.wizard', JSON.stringify(draft));
  await openStep('en-mx');
  expect(field().textContent).toBe('Canada');
  cleanup();
  sessionStorage.setItem('sooner.wizard', JSON.stringify({ userId: 'u1', username: 'lin@portal.example' }));
  await openStep('en-mx');
  expect(field().textContent).toBe('Canada');
});

describe('cached data of a country that was closed since', () => {
  const closed = () => ({
    countries: opened('en-pe').countries.map((one) =>
      one.code === 'en-ca' ? { ...one, available: false, state: 'known' as const } : one,
    ),
  });

  it.each(['1', '2', '3'])('is not continued from step %s', async (step) => {
    const before = await openStep();
    await signIn();
    await waitFor(() => expect(before.router.state.location.search).toBe('?step=2'));
    reload();
    const after = stage();
    after.replies.set('GET /facilities', () => ok(closed()));
    const { router } = after.open(`/schedule/wizard?step=${step}`);
    await waitFor(() => expect(router.state.location.search).toBe('?step=1'));
    await waitFor(() => expect(field().textContent).toBe('Peru'));
    expect(screen.getByText(/^Not opened by the operator of this site: Canada\./)).toBeTruthy();
    expect(screen.queryByText(t('wizard.goOn'))).toBeNull();
    expect(screen.queryByText(t('portal.expired'))).toBeNull();
  });
});

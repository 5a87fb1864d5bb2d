import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Frame } from '../../../../mock/Frame.tsx';
import { PublicFooter } from '../../../app/documents/PublicFooter.tsx';
import { billingStore } from '../../../shared/api/billing.ts';
import { type Facts, FactsProvider } from '../../../shared/api/facts.tsx';
import { methodsOf, storeMethods } from '../../../shared/api/methods.ts';
import { i18nReady } from '../../../shared/i18n/i18n.ts';
import type { TextKey } from '../../../shared/i18n/textKey.ts';
import { WholeFaqPage } from '../faq/WholeFaqPage.tsx';
import { TermsPage } from '../policies/TermsPage.tsx';
import { WholeLandingPage } from './WholeLandingPage.tsx';

// Rendering the whole page is slow in jsdom.
vi.setConfig({ testTimeout: 60_000 });

const known: Facts = {
  demo: '1',
  mail: '1',
  figures: '1',
  finished_tasks: '61',
  days_saved: '4,514',
  checks_total: '38,412',
  price: '38.00 CAD',
  ratings: '14',
  ratings_wanted: '20',
  few: '1',
  contact: '1',
  wechat: '1',
  wechat_id: 'sooner-help',
  email: 'help@sooner.example',
  email_href: 'mailto:help@sooner.example',
  hours: '9am-11pm EDT',
};
const t = i18next.t.bind(i18next);
const band = (name: string) => screen.getByRole('region', { name });

beforeEach(async () => void (await i18nReady));
afterEach(cleanup);

async function shown(facts: Facts = known, language = 'en') {
  await i18next.changeLanguage(language);
  render(
    <Frame>
      <FactsProvider facts={facts}>
        <WholeLandingPage />
      </FactsProvider>
    </Frame>,
  );
}

// spec: 2.1.01, 2.2.10, 2.2.24, 2.2.25, 2.2.26, 2.2.28, 10.13.11
it.each(['zh', 'en'] as const)('shows what the product does, how, and at what price (%s)', async (language) => {
  await shown(known, language);
  for (const key of ['landing.feature1', 'landing.feature2', 'landing.feature3', 'showcase.step3', 'auth.createAccount'] as const)
    expect(screen.getByRole('heading', { name: t(key) })).toBeTruthy();
  const { price } = known;
  for (const key of ['landing.priceLine', 'auth.registerPrice'] as const)
    expect(document.body.textContent).toContain(t(key, { price }));
  const ways = screen.getAllByRole('link', { name: t('landing.ctaButton') }).map((link) => link.getAttribute('href'));
  expect(ways).toContain('/auth/register');
});

// spec: 2.2.33, 2.2.34, 4.4.12
it('shows pictures with captions, and a large one with counter and keys', async () => {
  await shown();
  const tiles = within(band(t('gallery.title'))).getAllByRole('button');
  expect(tiles).toHaveLength(8);
  fireEvent.click(tiles[2] as HTMLElement);
  expect(await screen.findByText('3 / 8', {}, { timeout: 10_000 })).toBeTruthy();
  expect(screen.getByRole('button', { name: t('gallery.next') })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: t('gallery.close') }));
  await waitFor(() => expect(screen.queryByText('3 / 8')).toBeNull());
});

// spec: 2.2.27
it('shows counted figures, and with too few ratings the number needed for a rate', async () => {
  await shown();
  const figures = band(t('figures.title'));
  expect(within(figures).getByText('38,412')).toBeTruthy();
  expect(figures.textContent).toContain(t('figures.tooFew', { n: '20' }).trim());
  expect(figures.textContent).not.toMatch(/14 ?\/|\b14\b/);
  expect(figures.textContent).not.toContain('%');
});

// spec: 2.2.27
it('shows a rate once there are enough ratings', async () => {
  const { few, ...rest } = known;
  await shown({ ...rest, enough: '1', ratings: '25', satisfied: '96%', rating: '4.9' });
  expect(screen.getByText('96%')).toBeTruthy();
});

// spec: 2.2.36, 2.2.37, 2.2.38, 2.2.39, 2.2.40
it('lists only the support contacts that exist', async () => {
  await shown();
  const contact = band(t('contact.title'));
  expect(contact.textContent).toContain('sooner-help');
  expect(contact.textContent).toContain('help@sooner.example');
  expect(contact.textContent).not.toContain(t('contact.social'));
  expect(screen.queryByText(t('gallery.more'))).toBeNull();
});

// spec: 10.16.14
it.each(['zh', 'en'] as const)('lists only the notification channels of this server (%s)', async (language) => {
  const channelsText = () => screen.getByRole('heading', { name: t('landing.feature2') }).closest('li')?.textContent ?? '';
  const says = (...keys: TextKey[]) => keys.map((key) => channelsText().includes(t(key).trim()));
  await shown({ mail: '1', telegram: '1', sms: '1' }, language);
  expect(says('landing.feature2Mail', 'landing.alertMail', 'landing.feature2Telegram', 'landing.feature2Sms')).not.toContain(
    false,
  );
  expect(says('landing.feature2Page', 'landing.feature2Push', 'landing.feature2WxPusher')).not.toContain(true);
  cleanup();
  await shown({ web_push: '1' }, language);
  expect(says('landing.feature2Page', 'landing.feature2Push', 'landing.feature2Apps')).not.toContain(false);
  expect(says('landing.feature2Mail', 'landing.feature2Telegram', 'landing.feature2Sms')).not.toContain(true);
});

it('omits values that the server does not know', async () => {
  await shown({});
  for (const name of ['figures.title', 'contact.title'] as const)
    expect(screen.queryByRole('region', { name: t(name) })).toBeNull();
});

describe.each(['zh', 'en'] as const)('if the server charges nothing (%s)', (language) => {
  const free: Facts = { ...known, billing_off: '1', referral_off: '10.00 CAD' };
  const MONEY = /CAD|top.?up|on hold|charged once|You pay|paid|refund|充值|冻结|扣款|才收费|没约到不收费|余额|退款|推荐码/i;
  beforeEach(() => storeMethods(methodsOf(free)));
  afterEach(() => billingStore.set(true));

  it('the landing page states it, and shows no price', async () => {
    await shown(free, language);
    expect(screen.getByText(t('landing.noCharge'))).toBeTruthy();
    expect(document.body.textContent).not.toMatch(MONEY);
    expect(within(band(t('gallery.title'))).getAllByRole('button')).toHaveLength(7);
    expect(screen.queryByText(t('landing.priceMore'))).toBeNull();
    expect(screen.queryByText(t('landing.invited'), { exact: false })).toBeNull();
  });

  it('the gallery omits the picture of the balance', async () => {
    await shown(free, language);
    const tiles = within(band(t('gallery.title'))).getAllByRole('button');
    fireEvent.click(tiles[6] as HTMLElement);
    expect(await screen.findByText('7 / 7', {}, { timeout: 10_000 })).toBeTruthy();
    expect(document.querySelector('dialog img')?.getAttribute('alt')).toBe(t('gallery.account'));
  });

  it('questions, terms and footer do not mention money', async () => {
    await i18next.changeLanguage(language);
    render(
      <Frame>
        <FactsProvider facts={free}>
          <WholeFaqPage />
          <TermsPage />
          <PublicFooter />
        </FactsProvider>
      </Frame>,
    );
    expect(document.querySelectorAll('details')).toHaveLength(4);
    expect(screen.getByText(t('faq.progress', { read: 0, all: 4 }))).toBeTruthy();
    expect(screen.queryByText(t('terms.moneyTitle'))).toBeNull();
    const ways = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'));
    expect(ways.filter((way) => /^\/(pricing|refunds)|postPay|rechargeCode/.test(way ?? ''))).toEqual([]);
  });
});

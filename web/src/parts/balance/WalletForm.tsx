import { ExternalLink, QrCode } from 'lucide-react';
import { type FormEvent, lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CardPayment, WalletOffer } from '../../shared/api/money.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { amount } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { AmountField, useAmount } from './AmountField.tsx';
import styles from './card.module.css';
import type { AmountPreset, TopUpDraft } from './topUp.ts';
import { useWalletPayment } from './useWalletPayment.ts';

const CardDoneDialog = lazy(async () => ({ default: (await import('./CardDoneDialog.tsx')).CardDoneDialog }));
const ScanDialog = lazy(async () => ({ default: (await import('./ScanDialog.tsx')).ScanDialog }));

/** Returns whether the page is open in WeChat, which does not open pages of other payment apps. */
const inWeChat = () => /MicroMessenger/i.test(navigator.userAgent);

interface Props {
  offer: WalletOffer;
  suggested?: number;
  presets?: AmountPreset[];
  onCredited?: (balanceAfter: number) => void;
  /**
   * Called when the wallet form is shown. This form has its own button, even on a page whose button
   * starts the other payments.
   */
  onDraft?: (draft: TopUpDraft) => void;
}

/**
 * Renders the form for a top-up by wallet. Alipay opens its own page, and WeChat Pay shows a QR
 * code to scan.
 */
export function WalletForm({ offer, suggested, presets = [], onCredited, onDraft }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const entry = useAmount(offer, suggested);
  const [paid, setPaid] = useState<CardPayment | null>(null);
  const wallet = useWalletPayment(offer, setPaid);
  const leaves = offer.method === 'alipay';
  const busy = wallet.phase !== 'idle';
  const reportDraft = useEffectEvent(() => onDraft?.({ way: 'wallet' }));
  useEffect(() => reportDraft(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    entry.setLeft(true);
    if (entry.value !== null) void wallet.pay(entry.value, language);
  };
  const close = async () => {
    setPaid(null);
    entry.enter(null);
    const credit = await queryClient.fetchQuery({ ...queries.credit(), staleTime: 0 }).catch(() => null);
    if (credit) onCredited?.(credit.credit);
  };
  const values = { amount: entry.value === null ? '' : amount(entry.value), currency: offer.currency };
  return (
    <form method="post" noValidate onSubmit={submit} className={styles.form}>
      <AmountField
        limits={offer}
        currency={offer.currency}
        presets={presets}
        entry={entry}
        disabled={busy}
        onChange={wallet.forget}
      />
      {leaves && inWeChat() && <Alert tone="warning">{t('wallet.notInWeChat')}</Alert>}
      {wallet.problem && (
        <Alert
          tone={wallet.problem.textKey.startsWith('wallet.') ? 'info' : 'error'}
          title={t(wallet.problem.textKey)}
          live="alert"
        >
          {wallet.problem.more && t(wallet.problem.more)}
        </Alert>
      )}
      <Button type="submit" wide loading={busy && wallet.phase !== 'scanning'} disabled={busy || entry.missing}>
        <Icon of={leaves ? ExternalLink : QrCode} size={18} />
        {entry.value === null
          ? t(leaves ? 'wallet.alipay' : 'wallet.code')
          : t(leaves ? 'wallet.toAlipay' : 'wallet.showCode', values)}
      </Button>
      <Text variant="caption" color="tertiary">
        {t(leaves ? 'wallet.alipayNote' : 'wallet.wechatNote')}
      </Text>
      <Suspense fallback={null}>
        {wallet.code && <ScanDialog picture={wallet.code} sum={`${values.amount} ${values.currency}`} onClose={wallet.putAway} />}
        {paid && <CardDoneDialog payment={paid} onClose={() => void close()} />}
      </Suspense>
    </form>
  );
}

import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WalletOffer } from '../../shared/api/money.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Segmented } from '../../shared/ui/Segmented.tsx';
import { CardSkeleton } from './CardSkeleton.tsx';
import { balanceQueries } from './queries.ts';
import styles from './TopupForm.module.css';
import { TopupForm } from './TopupForm.tsx';
import { amountPresets, type Driven, type TopUp } from './topUp.ts';
import type { CodeState } from './useCodeCheck.ts';

const WalletForm = lazy(async () => ({ default: (await import('./WalletForm.tsx')).WalletForm }));
const CardForm = lazy(async () => ({ default: (await import('./CardForm.tsx')).CardForm }));

type Way = 'code' | WalletOffer['method'];

const wayTexts = {
  code: 'topup.byCode',
  card: 'topup.byCard',
  alipay: 'topup.byAlipay',
  wechat_pay: 'topup.byWeChat',
} as const satisfies Record<Way, TextKey>;

interface Props {
  suggested?: number;
  onCredited?: (balanceAfter: number) => void;
  /**
   * Called with the state of the code in the field. A page uses it to prevent continuing with an
   * unused code.
   */
  onState?: (state: CodeState) => void;
  /**
   * Interface for a page whose own button tops up: the missing amount, the price of one applicant,
   * and the callbacks.
   */
  driven?: Driven & { missing: number; unitPrice: number };
}

/**
 * Renders the top-up methods. Codes are always available, cards and wallets if the server supports
 * them. The choice is hidden if there is only one method.
 */
export function TopupPanel({ suggested, onCredited, onState, driven }: Props) {
  const { t } = useTranslation();
  const [way, setWay] = useState<Way>('code');
  const config = useQuery(balanceQueries.cardConfig());
  const cards = config.data?.enabled ? config.data : null;
  const [state, setState] = useState<CodeState>('empty');
  const [code, card] = [useRef<TopUp>(null), useRef<TopUp>(null)];
  const byCode = cards === null || way === 'code';
  const wallet = cards?.methods.find(({ method }) => method === way && method !== 'card');
  const presets = driven && cards ? amountPresets(driven.missing, driven.unitPrice, cards) : undefined;
  useImperativeHandle(driven?.ref, () => ({
    run: async () => (await (byCode ? code : card).current?.run()) ?? null,
    forget: () => {
      code.current?.forget();
      card.current?.forget();
    },
  }));
  const reportDraft = useEffectEvent(() => driven?.onDraft({ way: 'code', state }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: returning reports the code again
  useEffect(() => {
    if (byCode) reportDraft();
  }, [byCode, state]);
  const onCode = (known: CodeState) => {
    setState(known);
    onState?.(known);
  };
  return (
    <Stack>
      {cards && (
        <div className={styles.ways}>
          <Segmented
            label={t('topup.tabs')}
            value={way}
            options={(['code', ...cards.methods.map(({ method }) => method)] as const).map((value) => ({
              value,
              label: t(wayTexts[value]),
            }))}
            onChange={setWay}
          />
        </div>
      )}
      {/* The form stays mounted, so that it keeps a typed code while another method is shown. */}
      <div hidden={!byCode}>
        <TopupForm onCredited={onCredited} onState={onCode} driven={driven && { ref: code, onEnter: driven.onEnter }} />
      </div>
      {cards && way === 'card' && (
        <Suspense fallback={<CardSkeleton />}>
          <CardForm
            config={cards}
            suggested={suggested}
            onCredited={onCredited}
            presets={presets}
            driven={driven && { ...driven, ref: card }}
          />
        </Suspense>
      )}
      {wallet && (
        <Suspense fallback={<CardSkeleton />}>
          <WalletForm
            key={wallet.method}
            offer={wallet}
            suggested={suggested}
            presets={presets}
            onCredited={onCredited}
            onDraft={driven?.onDraft}
          />
        </Suspense>
      )}
      {config.isError && (
        <Alert
          tone="quiet"
          action={
            <Button variant="secondary" size="small" loading={config.isFetching} onClick={() => void config.refetch()}>
              {t('problem.retry')}
            </Button>
          }
        >
          {t('card.configFailed')}
        </Alert>
      )}
    </Stack>
  );
}

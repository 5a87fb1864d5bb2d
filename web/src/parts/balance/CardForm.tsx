import { Lock } from 'lucide-react';
import { type FormEvent, lazy, Suspense, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as bounds from '../../shared/api/bounds.ts';
import type { CardConfig, CardPayment } from '../../shared/api/money.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { amount } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { AmountField, useAmount } from './AmountField.tsx';
import { CardFrame } from './CardFrame.tsx';
import styles from './card.module.css';
import { PaymentDetails } from './PaymentDetails.tsx';
import type { AmountPreset, Driven } from './topUp.ts';
import { useCardPayment } from './useCardPayment.ts';

const CardDoneDialog = lazy(async () => ({ default: (await import('./CardDoneDialog.tsx')).CardDoneDialog }));

const LONGEST_DESCRIPTION = bounds.IntentInput.description.maxLength;

interface Props {
  config: CardConfig;
  suggested?: number;
  onCredited?: (balanceAfter: number) => void;
  /** Suggested amounts. */
  presets?: AmountPreset[];
  /** Interface for a page whose own button starts the payment. */
  driven?: Driven;
}

/**
 * Renders the form for a top-up by card. The card fields are in a separate document, in a frame.
 */
export function CardForm({ config, suggested, onCredited, presets = [], driven }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const currency = config.default_currency.toUpperCase();
  const entry = useAmount(config, suggested);
  const { value } = entry;
  const [description, setDescription] = useState('');
  const [paid, setPaid] = useState<CardPayment | null>(null);
  const settle = useRef<((balance: number | null) => void) | null>(null);
  const balance = () => queryClient.fetchQuery({ ...queries.credit(), staleTime: 0 }).catch(() => null);
  const card = useCardPayment(config, (payment) => {
    entry.enter(driven ? null : '');
    entry.setLeft(false);
    setDescription('');
    if (driven) void balance().then((credit) => settle.current?.(credit?.credit ?? null));
    else setPaid(payment);
  });
  const busy = card.phase === 'paying' || card.phase === 'confirming';
  const pay = () => {
    entry.setLeft(true);
    if (value !== null) void card.pay({ amount: value, description: description.trim(), language });
    return value !== null;
  };
  useImperativeHandle(driven?.ref, () => ({
    run: () =>
      new Promise((resolve) => {
        settle.current = resolve;
        if (!pay()) resolve(null);
      }),
    forget: card.forget,
  }));
  // The form itself shows why a payment failed.
  useEffect(() => {
    if (card.problem && !busy) settle.current?.(null);
  }, [card.problem, busy]);
  useEffect(() => () => settle.current?.(null), []);
  const reportDraft = useEffectEvent((amount: number | null) => driven?.onDraft({ way: 'card', amount }));
  useEffect(() => reportDraft(value), [value]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (driven) driven.onEnter();
    else pay();
  };
  const close = async () => {
    setPaid(null);
    const credit = await balance();
    if (credit) onCredited?.(credit.credit);
  };
  return (
    <form method="post" noValidate onSubmit={submit} className={styles.form}>
      <AmountField limits={config} currency={currency} presets={presets} entry={entry} disabled={busy} onChange={card.forget} />
      {!driven && (
        <TextField
          label={t('card.description')}
          value={description}
          disabled={busy}
          onChange={(event) => setDescription(event.target.value.slice(0, LONGEST_DESCRIPTION))}
          hint={t('card.descriptionHint')}
        />
      )}
      {card.phase !== 'broken' && (
        <CardFrame
          key={card.attempt}
          page={config.page_url}
          ready={card.phase !== 'loading'}
          onEvent={card.onEvent}
          onPost={card.offer}
        />
      )}
      {card.problem && (
        <Alert
          tone={card.problem.textKey === 'card.processing' ? 'info' : 'error'}
          title={t(card.problem.textKey)}
          live="alert"
          action={
            card.phase === 'broken' && card.problem.textKey !== 'card.incomplete' ? (
              <Button variant="secondary" size="small" onClick={card.retry}>
                {t('problem.retry')}
              </Button>
            ) : undefined
          }
        >
          {card.problem.more ? t(card.problem.more) : card.problem.text}
        </Alert>
      )}
      {!driven && (
        <>
          <PaymentDetails value={value} currency={currency} />
          <Button type="submit" wide loading={busy} disabled={busy || card.phase === 'broken' || entry.missing}>
            {value === null ? t('card.payPlain') : t('card.pay', { amount: amount(value), currency })}
          </Button>
        </>
      )}
      <div role="status" className={styles.safe}>
        <Icon of={Lock} size={16} />
        <span>{card.phase === 'confirming' ? t('card.confirming') : busy ? t('card.paying') : t('card.safe')}</span>
      </div>
      {paid && (
        <Suspense fallback={null}>
          <CardDoneDialog payment={paid} onClose={() => void close()} />
        </Suspense>
      )}
    </form>
  );
}

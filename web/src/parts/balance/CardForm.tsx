import { Lock } from 'lucide-react';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../shared/api/bounds.ts';
import type { CardConfig, CardPayment } from '../../shared/api/money.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { amount } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { CardFrame } from './CardFrame.tsx';
import styles from './card.module.css';
import { readAmount } from './cardAmount.ts';
import { PaymentDetails } from './PaymentDetails.tsx';
import { useCardPayment } from './useCardPayment.ts';

const CardDoneDialog = lazy(async () => ({ default: (await import('./CardDoneDialog.tsx')).CardDoneDialog }));

const LONGEST_DESCRIPTION = bounds.IntentInput.description.maxLength;

interface Props {
  config: CardConfig;
  suggested?: number;
  onCredited?: (balanceAfter: number) => void;
}

/** A top-up by card: amount and description here, the card itself in a page of its own. */
export function CardForm({ config, suggested, onCredited }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const currency = config.default_currency.toUpperCase();
  const offered = suggested === undefined ? '' : Math.max(suggested, config.min_amount).toFixed(2);
  const [typed, setTyped] = useState(offered);
  const [left, setLeft] = useState(false);
  const [description, setDescription] = useState('');
  const [paid, setPaid] = useState<CardPayment | null>(null);
  const card = useCardPayment(config, (payment) => {
    setTyped('');
    setDescription('');
    setLeft(false);
    setPaid(payment);
  });
  const { value, problem } = readAmount(typed, config);
  const limits = { min: amount(config.min_amount), max: amount(config.max_amount), currency };
  const busy = card.phase === 'paying' || card.phase === 'confirming';
  const tooLittle = Number(typed.replace(',', '.')) < config.min_amount;
  const wrong =
    problem === 'cents' ? t('card.amountCents') : problem === 'range' && left ? t('card.amountRange', limits) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setLeft(true);
    if (value !== null) void card.pay({ amount: value, description: description.trim(), language });
  };
  const close = async () => {
    setPaid(null);
    const credit = await queryClient.fetchQuery({ ...queries.credit(), staleTime: 0 }).catch(() => null);
    if (credit) onCredited?.(credit.credit);
  };
  return (
    <form method="post" noValidate onSubmit={submit} className={styles.form}>
      <TextField
        label={t('card.amount')}
        type="number"
        value={typed}
        disabled={busy}
        onChange={(event) => {
          setTyped(event.target.value);
          card.forget();
        }}
        onBlur={() => setLeft(typed !== '')}
        error={wrong}
        hint={t('card.amountHint', limits)}
        step={0.01}
        min={config.min_amount}
        max={config.max_amount}
        inputMode="decimal"
        end={
          <Text as="span" variant="small" color="secondary" unbroken className={styles.unit}>
            {currency}
          </Text>
        }
      />
      <TextField
        label={t('card.description')}
        value={description}
        disabled={busy}
        onChange={(event) => setDescription(event.target.value.slice(0, LONGEST_DESCRIPTION))}
        hint={t('card.descriptionHint')}
      />
      {card.phase !== 'broken' && (
        <CardFrame key={card.attempt} ready={card.phase !== 'loading'} onEvent={card.onEvent} onPost={card.offer} />
      )}
      {card.problem && (
        <Alert
          tone={card.problem.words === 'card.processing' ? 'info' : 'error'}
          title={t(card.problem.words)}
          live="alert"
          action={
            card.phase === 'broken' && card.problem.words !== 'card.incomplete' ? (
              <Button variant="secondary" size="small" onClick={card.retry}>
                {t('problem.retry')}
              </Button>
            ) : undefined
          }
        >
          {card.problem.more ? t(card.problem.more) : card.problem.text}
        </Alert>
      )}
      <PaymentDetails value={value} currency={currency} />
      <Button type="submit" wide loading={busy} disabled={busy || card.phase === 'broken' || typed.trim() === '' || tooLittle}>
        {value === null ? t('card.payPlain') : t('card.pay', { amount: amount(value), currency })}
      </Button>
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

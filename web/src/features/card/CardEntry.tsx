import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { StripeCardElementChangeEvent } from '@stripe/stripe-js';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classes } from '../../shared/ui/classes.ts';
import styles from './card.module.css';
import { confirmCard } from './confirm.ts';
import { listenToParent, type PayOrder, postToParent } from './parent.ts';

interface Props {
  onPaying: (on: boolean) => void;
}

/**
 * Returns the style of the provider's fields. They are in a frame that cannot read our CSS
 * variables, so the style contains their values.
 */
function fieldStyle() {
  const page = getComputedStyle(document.documentElement);
  const token = (name: string) => page.getPropertyValue(name).trim() || undefined;
  const wrong = token('--color-error-ink');
  return {
    base: {
      fontSize: '16px',
      fontFamily: token('--font'),
      color: token('--color-text'),
      iconColor: token('--color-text-2'),
      '::placeholder': { color: token('--color-text-3') },
    },
    invalid: { color: wrong, iconColor: wrong },
  };
}

/**
 * Renders the card fields of the provider. The payment is confirmed when the parent page requests
 * it.
 */
export function CardEntry({ onPaying }: Props) {
  const { t } = useTranslation();
  const [style] = useState(fieldStyle);
  const library = useStripe();
  const elements = useElements();
  const label = useId();
  const note = useId();
  const busy = useRef(false);
  const [paying, setPaying] = useState(false);
  const [focused, setFocused] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const pay = useEffectEvent(async ({ clientSecret }: PayOrder) => {
    if (busy.current) return;
    busy.current = true;
    setPaying(true);
    onPaying(true);
    postToParent({ type: 'processing' });
    const news = await confirmCard(library, elements?.getElement(CardElement) ?? null, clientSecret);
    busy.current = false;
    setPaying(false);
    onPaying(false);
    postToParent(news);
  });
  useEffect(() => listenToParent((order) => void pay(order)), []);
  const change = (event: StripeCardElementChangeEvent) => setWrong(event.error?.message ?? null);
  return (
    <div>
      <div id={label} className={styles.label}>
        {t('pay.card')}
      </div>
      <div
        role="group"
        aria-labelledby={label}
        aria-describedby={wrong ? note : undefined}
        className={classes(styles.field, focused && styles.focused, wrong && styles.wrong, paying && styles.paying)}
      >
        <CardElement
          onReady={() => postToParent({ type: 'ready' })}
          onChange={change}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          options={{ hidePostalCode: true, disabled: paying, style }}
        />
      </div>
      {wrong && (
        <p id={note} role="alert" className={styles.note}>
          {wrong}
        </p>
      )}
    </div>
  );
}

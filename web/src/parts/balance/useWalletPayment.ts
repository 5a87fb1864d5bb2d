import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { answer, client, idempotent } from '../../shared/api/client.ts';
import type { CardPayment, WalletOffer } from '../../shared/api/money.ts';
import { refreshMoney } from '../../shared/api/queries.ts';
import { randomKey } from '../../shared/browser/randomKey.ts';
import { intentProblem, type PaymentProblem } from './paymentProblem.ts';
import { storeReturnPath } from './paymentReturn.ts';
import { scanned } from './paymentStatus.ts';

type Phase = 'idle' | 'beginning' | 'leaving' | 'scanning';

/** Navigates the whole window to a page of the provider. Tests replace this function. */
export const leaving = { to: (url: string) => window.location.assign(url) };

/**
 * Provides payments by wallet, one at a time. Our server creates the payment. The user pays on the
 * provider's page or with a phone. Our server decides whether it succeeded.
 */
export function useWalletPayment(offer: WalletOffer, onPaid: (payment: CardPayment) => void) {
  const [phase, setPhase] = useState<Phase>('idle');
  const [problem, setProblem] = useState<PaymentProblem | null>(null);
  const [code, setCode] = useState<string | null>(null);
  const watched = useRef<string | null>(null);
  const busy = useRef(false);
  // Another attempt with the same amount continues the first payment, unless that is known to have
  // failed.
  const order = useRef<{ amount: number; key: string } | null>(null);
  useEffect(
    () => () => {
      watched.current = null;
    },
    [],
  );

  const end = (found: PaymentProblem | null) => {
    busy.current = false;
    watched.current = null;
    setCode(null);
    setPhase('idle');
    setProblem(found);
  };

  const watch = async (id: string) => {
    watched.current = id;
    const payment = await scanned(id, () => watched.current === id);
    if (watched.current !== id) return;
    refreshMoney();
    if (payment && payment.status !== 'requires_action' && payment.status !== 'processing') order.current = null;
    if (payment?.status === 'succeeded') {
      end(null);
      onPaid(payment);
    } else end({ textKey: payment?.status === 'processing' ? 'wallet.processing' : 'wallet.notPaid' });
  };

  const pay = async (amount: number, language: string) => {
    // Ignores a second press within one frame.
    if (busy.current) return;
    busy.current = true;
    setProblem(null);
    setPhase('beginning');
    try {
      const body = { amount, currency: offer.currency, method: offer.method, metadata: { source: 'web', language } };
      if (order.current?.amount !== amount) order.current = { amount, key: randomKey() };
      const params = idempotent(order.current.key);
      const begun = await answer(client.POST('/payment/stripe/create-intent', { body, params }));
      if (begun.redirect_url) {
        setPhase('leaving');
        storeReturnPath();
        leaving.to(begun.redirect_url);
      } else if (begun.qr_image) {
        setCode(begun.qr_image);
        setPhase('scanning');
        void watch(begun.payment_intent_id);
      } else {
        // The payment has succeeded or failed, so the next attempt starts a new one.
        order.current = null;
        refreshMoney();
        end({ textKey: 'wallet.notPaid' });
      }
    } catch (error) {
      end(intentProblem(error));
    }
  };

  /** Closes the QR code. A payment that arrives later is still credited. */
  const putAway = () => {
    end({ textKey: 'wallet.notPaid' });
    refreshMoney();
  };

  // The browser's back button may restore this page in the state in which the user left it.
  const shownAgain = useEffectEvent(() => {
    if (phase === 'leaving') end({ textKey: 'wallet.notPaid' });
    refreshMoney();
  });
  useEffect(() => {
    const shown = (event: PageTransitionEvent) => {
      if (event.persisted) shownAgain();
    };
    window.addEventListener('pageshow', shown);
    return () => window.removeEventListener('pageshow', shown);
  }, []);

  return { phase, problem, code, pay, putAway, forget: () => setProblem(null) };
}

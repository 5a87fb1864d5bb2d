import { useCallback, useEffect, useRef, useState } from 'react';
import { answer, client, idempotent } from '../../shared/api/client.ts';
import type { CardConfig, CardPayment } from '../../shared/api/money.ts';
import { refreshMoney } from '../../shared/api/queries.ts';
import { randomKey } from '../../shared/browser/randomKey.ts';
import { type FrameEvent, type FrameOrder, frameFailureText } from './cardFrame.ts';
import { intentProblem, type PaymentProblem } from './paymentProblem.ts';
import { settled } from './paymentStatus.ts';

/** Longest wait until the card page has loaded. */
const READY_WAIT_MS = 10_000;
const SECOND_REFRESH_MS = 5_000;
/** Phase of a payment. */
type CardPhase = 'loading' | 'ready' | 'broken' | 'paying' | 'confirming';

interface CardOrder {
  amount: number;
  description: string;
  language: string;
}

/**
 * Provides card payments, one at a time. Our server creates the payment, the card page confirms it,
 * and our server decides whether it succeeded.
 */
export function useCardPayment(config: CardConfig, onPaid: (payment: CardPayment) => void) {
  const complete = Boolean(config.publishable_key && config.js_url);
  const [phase, setPhase] = useState<CardPhase>(complete ? 'loading' : 'broken');
  const [problem, setProblem] = useState<PaymentProblem | null>(complete ? null : { textKey: 'card.incomplete' });
  const [attempt, setAttempt] = useState(0);
  const post = useRef<((order: FrameOrder) => void) | null>(null);
  const intent = useRef<string | null>(null);
  const alive = useRef(true);
  const busy = useRef(false);

  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);

  useEffect(() => {
    if (phase !== 'loading') return;
    const timer = setTimeout(() => {
      setPhase('broken');
      setProblem({ textKey: 'problem.cardSystemUnavailable' });
    }, READY_WAIT_MS);
    return () => clearTimeout(timer);
  }, [phase]);

  const fail = useCallback((found: PaymentProblem) => {
    busy.current = false;
    if (!alive.current) return;
    setPhase('ready');
    setProblem(found);
  }, []);

  const confirm = async (id: string) => {
    setPhase('confirming');
    try {
      const payment = await settled(id, () => alive.current);
      refreshMoney();
      if (payment.status !== 'succeeded') {
        fail({ textKey: payment.status === 'processing' ? 'card.processing' : 'card.notCompleted' });
        return;
      }
      setTimeout(refreshMoney, SECOND_REFRESH_MS);
      busy.current = false;
      if (!alive.current) return;
      // Reloads the card page, so that its fields are empty for the next payment.
      setAttempt((n) => n + 1);
      setPhase('loading');
      onPaid(payment);
    } catch {
      refreshMoney();
      setTimeout(refreshMoney, SECOND_REFRESH_MS);
      fail({ textKey: 'card.statusFailed', more: 'card.statusFailedText' });
    }
  };

  const onEvent = (event: FrameEvent) => {
    if (event.type === 'ready') {
      setPhase((now) => (now === 'loading' ? 'ready' : now));
      setProblem((now) => (now?.textKey === 'problem.cardSystemUnavailable' ? null : now));
    }
    if (event.type === 'failed' && phase === 'loading') {
      setPhase('broken');
      setProblem({ textKey: event.code ? frameFailureText(event.code) : 'card.initFailed', text: event.message ?? undefined });
      return;
    }
    if (phase !== 'paying') return;
    if (event.type === 'succeeded' && intent.current) void confirm(intent.current);
    if (event.type === 'failed') fail({ textKey: frameFailureText(event.code), text: event.message ?? undefined });
    if (event.type === 'cancelled') fail({ textKey: 'card.cancelled' });
  };

  const pay = async ({ amount, description, language }: CardOrder) => {
    if (busy.current) return;
    if (phase !== 'ready' || !post.current) {
      setProblem({ textKey: 'card.notLoaded' });
      return;
    }
    busy.current = true;
    setProblem(null);
    setPhase('paying');
    try {
      const body = {
        amount,
        currency: config.default_currency,
        ...(description ? { description } : {}),
        metadata: { source: 'web', language },
      };
      const params = idempotent(randomKey());
      const made = await answer(client.POST('/payment/stripe/create-intent', { body, params }));
      intent.current = made.payment_intent_id;
      if (!alive.current) return;
      if (made.client_secret === null) throw new Error('a payment by card without its secret');
      post.current({ type: 'pay', client_secret: made.client_secret, amount, currency: config.default_currency });
    } catch (error) {
      fail(intentProblem(error));
    }
  };

  const retry = () => {
    setProblem(null);
    setPhase('loading');
    setAttempt((n) => n + 1);
  };

  const offer = useCallback((way: ((order: FrameOrder) => void) | null) => {
    post.current = way;
  }, []);

  return { phase, problem, attempt, pay, retry, onEvent, offer, forget: () => setProblem(null) };
}

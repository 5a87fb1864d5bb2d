import { useCallback, useEffect, useRef, useState } from 'react';
import { answer, client, once } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import type { CardConfig, CardPayment } from '../../shared/api/money.ts';
import { refreshMoney } from '../../shared/api/queries.ts';
import { randomKey } from '../../shared/browser/randomKey.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { type FrameEvent, type FrameOrder, frameFailureWords } from './cardFrame.ts';

/** How long the card page may take to say it is ready. */
const READY_WAIT_MS = 10_000;
const SECOND_REFRESH_MS = 5_000;
/** Our server is asked again this often, this many times, while a payment has neither succeeded nor failed. */
const STATUS_EVERY_MS = 1_500;
const STATUS_TRIES = 8;

/** Where a payment is. */
type CardPhase = 'loading' | 'ready' | 'broken' | 'paying' | 'confirming';

/** What went wrong: our words, and under them more words or the provider's own sentence. */
interface CardProblem {
  words: Words;
  more?: Words;
  text?: string;
}

const UNDER_WAY = ['processing', 'requires_action', 'requires_confirmation', 'requires_capture'];
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What our server says in the end: only it decides whether a payment succeeded. */
async function settled(id: string, alive: () => boolean): Promise<CardPayment> {
  for (let tries = 1; ; tries += 1) {
    const payment = await answer(client.GET('/payment/stripe/status/{id}', { params: { path: { id } } }));
    const waits = UNDER_WAY.includes(payment.status) || (payment.status === 'succeeded' && !payment.credited);
    if (!waits || tries >= STATUS_TRIES || !alive()) return payment;
    await wait(STATUS_EVERY_MS);
  }
}

interface CardOrder {
  amount: number;
  description: string;
  language: string;
}

/** One payment by card at a time: intent from our server, confirmation in the card page, success only by our server's word. */
export function useCardPayment(config: CardConfig, onPaid: (payment: CardPayment) => void) {
  const complete = Boolean(config.publishable_key && config.js_url);
  const [phase, setPhase] = useState<CardPhase>(complete ? 'loading' : 'broken');
  const [problem, setProblem] = useState<CardProblem | null>(complete ? null : { words: 'card.incomplete' });
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
      setProblem({ words: 'problem.cardSystemUnavailable' });
    }, READY_WAIT_MS);
    return () => clearTimeout(timer);
  }, [phase]);

  const fail = useCallback((found: CardProblem) => {
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
        fail({ words: payment.status === 'processing' ? 'card.processing' : 'card.notCompleted' });
        return;
      }
      setTimeout(refreshMoney, SECOND_REFRESH_MS);
      busy.current = false;
      if (!alive.current) return;
      // A fresh card page: the next payment is another card's or another day's.
      setAttempt((n) => n + 1);
      setPhase('loading');
      onPaid(payment);
    } catch {
      refreshMoney();
      setTimeout(refreshMoney, SECOND_REFRESH_MS);
      fail({ words: 'card.statusFailed', more: 'card.statusFailedText' });
    }
  };

  const onEvent = (event: FrameEvent) => {
    if (event.type === 'ready') {
      setPhase((now) => (now === 'loading' ? 'ready' : now));
      setProblem((now) => (now?.words === 'problem.cardSystemUnavailable' ? null : now));
    }
    if (event.type === 'failed' && phase === 'loading') {
      setPhase('broken');
      setProblem({ words: event.code ? frameFailureWords(event.code) : 'card.initFailed', text: event.message ?? undefined });
      return;
    }
    if (phase !== 'paying') return;
    if (event.type === 'succeeded' && intent.current) void confirm(intent.current);
    if (event.type === 'failed') fail({ words: frameFailureWords(event.code), text: event.message ?? undefined });
    if (event.type === 'cancelled') fail({ words: 'card.cancelled' });
  };

  const pay = async ({ amount, description, language }: CardOrder) => {
    if (busy.current) return;
    if (phase !== 'ready' || !post.current) {
      setProblem({ words: 'card.notLoaded' });
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
      const params = once(randomKey());
      const made = await answer(client.POST('/payment/stripe/create-intent', { body, params }));
      intent.current = made.payment_intent_id;
      if (!alive.current) return;
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

function intentProblem(error: unknown): CardProblem {
  if (hasCode(error, 'CARD_NOT_CONFIGURED')) return { words: 'problem.cardUnavailable' };
  if (hasCode(error, 'MONEY_FROZEN')) return { words: 'problem.moneyFrozen' };
  if (hasCode(error, 'TOO_MANY_ATTEMPTS')) return { words: 'problem.tooMany' };
  if (hasCode(error, 'CARD_PROVIDER_UNAVAILABLE')) return { words: 'card.intentFailed', more: 'problem.cardSystemUnavailable' };
  return { words: 'card.intentFailed', more: hasCode(error, 'NETWORK_ERROR') ? 'problem.network' : undefined };
}

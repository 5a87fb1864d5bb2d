import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { storeCharge } from '../../parts/balance/lastCharge.ts';
import type { TopUp, TopUpDraft } from '../../parts/balance/topUp.ts';
import type { CodeState } from '../../parts/balance/useCodeCheck.ts';
import type { SearchForm } from '../../parts/criteria/searchForm.ts';
import { lastSubmission } from '../../parts/task/lastSubmission.ts';
import { useBilling } from '../../shared/api/billing.ts';
import { cents } from '../../shared/api/pricing.ts';
import { queries } from '../../shared/api/queries.ts';
import type { SubmitAnswer } from '../../shared/api/types.ts';
import { useDelayedAction } from '../../shared/hooks/useDelayedAction.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { forgetPriceCodes } from './priceCodes.ts';
import { codeTexts } from './StepCode.tsx';
import { topUpTexts } from './StepTopUp.tsx';
import { readRefusal } from './submitRefusal.ts';
import { useSubmit } from './useSubmit.ts';
import { useWizardPrice } from './useWizardPrice.ts';
import type { Choice } from './wizardChoice.ts';

interface ConfirmInput {
  chosen: Choice[];
  form: SearchForm;
  onSubmitted: (answer: SubmitAnswer) => void;
}

/** Provides the payment of step 3: the total to accept, the missing amount, and the top-up. */
function usePayment(expected: number | undefined, foreseen: boolean) {
  const { data: credit } = useQuery(queries.credit());
  const topUp = useRef<TopUp>(null);
  const [draft, setDraft] = useState<TopUpDraft>({ way: 'code', state: 'empty' });
  const [topping, setTopping] = useState<'no' | 'now' | 'short'>('no');
  // New total that the user has accepted in a dialog, while the page still shows the old price.
  const [agreedTo, setAgreedTo] = useState<{ total: number; shown: number | undefined } | null>(null);
  const total = agreedTo && agreedTo.shown === expected ? agreedTo.total : expected;
  const missing = foreseen && credit && total !== undefined ? Math.max(0, cents(total - credit.credit)) : 0;
  /** Tops up the missing amount. Returns false if the tasks must not be submitted afterwards. */
  const covered = async (price: number) => {
    if (missing === 0) return true;
    setTopping('now');
    const balance = (await topUp.current?.run()) ?? null;
    setTopping(balance !== null && balance < price ? 'short' : 'no');
    return balance !== null && balance >= price;
  };
  return {
    total,
    missing,
    available: credit?.credit ?? 0,
    // The form stays until the top-up is complete, even if the balance already suffices.
    paysHere: missing > 0 || topping === 'now',
    /** True if a top-up succeeded but does not suffice. */
    added: topping === 'short',
    covered,
    agreeTo: (price: number) => setAgreedTo({ total: price, shown: expected }),
    topUp,
    draft,
    setDraft,
  };
}

/**
 * Provides the state of step 3: the price, the payment, the consent, the submission after a
 * countdown, and refusals.
 */
export function useConfirm({ chosen, form, onSubmitted }: ConfirmInput) {
  const language = useLanguage();
  const billing = useBilling();
  const { price, cost, expected, codes, loading: asking, retry: askAgain } = useWizardPrice(chosen);
  const [agreed, setAgreed] = useState(false);
  const [code, setCode] = useState<CodeState>('empty');
  const [overCode, setOverCode] = useState(false);
  const names = Object.fromEntries(
    chosen.map((choice) => [choice.group.id, joined(choice.appointment.applicant_names, language)]),
  );
  const submit = useSubmit((answer) => {
    const { cost_details: charged, user_balance: balance } = answer;
    if (charged && balance) storeCharge({ cost: charged, balance, names, at: Date.now() });
    lastSubmission.set(answer.schedules.map(({ id }) => id));
    forgetPriceCodes();
    onSubmitted(answer);
  });
  const refusal = readRefusal(submit.error);
  const payment = usePayment(expected, !refusal.short);
  const { total, covered, paysHere, draft } = payment;
  // A server that charges accepts no submission without a total. The price may disappear during the
  // countdown.
  const delayed = useDelayedAction(async () => {
    if (billing && (total === undefined || !(await covered(total)))) return;
    const ids = chosen.map((choice) => choice.group.id);
    await submit.mutateAsync({ ids, notifyOnly: form.notifyOnly, expectedTotal: total, codes }).catch(() => undefined);
  });
  const idle = delayed.phase === 'idle';
  // A code in the field prevents the submission, because the user expects it to be used.
  const obstacle = !billing ? null : paysHere ? topUpTexts(draft) : codeTexts(code);
  return {
    billing,
    price,
    cost,
    asking,
    askAgain,
    names,
    payment,
    agreed,
    setAgreed,
    setCode,
    obstacle: overCode ? obstacle : null,
    delayed,
    idle,
    ready: agreed && idle && (total !== undefined || !billing),
    start: () => {
      setOverCode(obstacle !== null);
      payment.topUp.current?.forget();
      if (obstacle === null) delayed.start();
    },
    refusal,
    /** Total of the refused submission. */
    refusedTotal: submit.variables?.expectedTotal,
    forget: () => submit.reset(),
    resume: () => {
      submit.reset();
      delayed.start();
    },
  };
}

export type Confirmation = ReturnType<typeof useConfirm>;

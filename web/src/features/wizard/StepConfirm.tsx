import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { submitErrorWords } from '../../parts/balance/codeWords.ts';
import { EstimateNotice } from '../../parts/balance/EstimateNotice.tsx';
import { keepCharge } from '../../parts/balance/lastCharge.ts';
import type { TopUp, TopUpDraft } from '../../parts/balance/topUp.ts';
import type { CodeState } from '../../parts/balance/useCodeCheck.ts';
import { Section } from '../../parts/criteria/Section.tsx';
import { type SearchForm, soonestOf } from '../../parts/criteria/searchForm.ts';
import { type ApiError, hasCode, NETWORK_ERROR } from '../../shared/api/errors.ts';
import { cents, type Shortage } from '../../shared/api/pricing.ts';
import { queries } from '../../shared/api/queries.ts';
import type { CostDetails, SubmitAnswer } from '../../shared/api/types.ts';
import { civilToday } from '../../shared/format/dates.ts';
import { useDelayedAction } from '../../shared/hooks/useDelayedAction.ts';
import { amount, joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Checkbox } from '../../shared/ui/Checkbox.tsx';
import { CountdownPill } from '../../shared/ui/CountdownPill.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import rows from './appointments.module.css';
import { FormSummary } from './FormSummary.tsx';
import { InsufficientDialog, PriceChangedDialog, TakenDialog } from './lazyParts.ts';
import { forgetPriceCodes } from './priceCodes.ts';
import { codeWords, StepCode } from './StepCode.tsx';
import styles from './StepConfirm.module.css';
import { StepTopUp, topUpWords, useActionWords } from './StepTopUp.tsx';
import { SummaryRow } from './SummaryRow.tsx';
import { useSubmit } from './useSubmit.ts';
import { useWizardPrice } from './useWizardPrice.ts';
import { WizardBar } from './WizardBar.tsx';
import { applicantsOf, type Choice } from './wizardChoice.ts';

interface Props {
  chosen: Choice[];
  form: SearchForm;
  onPrevious: () => void;
  onSubmitted: (answer: SubmitAnswer) => void;
  onOtherAccount: () => void;
}

/** Step 3: the summary, the consent, and the submit with 1–3 s to think again. */
export function StepConfirm({ chosen, form, onPrevious, onSubmitted, onOtherAccount }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { price, cost: ownCost, expected, codes, asking, askAgain } = useWizardPrice(chosen);
  const { data: credit } = useQuery(queries.credit());
  const [agreed, setAgreed] = useState(false);
  const [code, setCode] = useState<CodeState>('empty');
  const [overCode, setOverCode] = useState(false);
  const topUp = useRef<TopUp>(null);
  const [draft, setDraft] = useState<TopUpDraft>({ way: 'code', state: 'empty' });
  const [topping, setTopping] = useState<'no' | 'now' | 'short'>('no');
  const actionWords = useActionWords();
  // What was agreed to in place of the price shown, for as long as that one is shown.
  const [agreedTo, setAgreedTo] = useState<{ total: number; shown: number | undefined } | null>(null);
  const submit = useSubmit((answer) => {
    keepCharge({ cost: answer.cost_details, balance: answer.user_balance, names });
    forgetPriceCodes();
    onSubmitted(answer);
  });
  const applicants = applicantsOf(chosen);
  const total = agreedTo && agreedTo.shown === expected ? agreedTo.total : expected;
  const short = hasCode(submit.error, 'INSUFFICIENT_CREDIT') ? (submit.error.data as Shortage | null) : null;
  const missing = !short && credit && total !== undefined ? Math.max(0, cents(total - credit.credit)) : 0;
  // The form stays until the payment has ended, even when the balance already covers the price.
  const paysHere = missing > 0 || topping === 'now';
  /** Makes the top-up that is missing; false where nothing may be submitted after it. */
  const covered = async (price: number) => {
    if (missing === 0) return true;
    setTopping('now');
    const balance = (await topUp.current?.run()) ?? null;
    setTopping(balance !== null && balance < price ? 'short' : 'no');
    return balance !== null && balance >= price;
  };
  // Without a price that was shown nothing is submitted, even if it went away during the countdown.
  const delayed = useDelayedAction(async () => {
    if (total === undefined || !(await covered(total))) return;
    const ids = chosen.map((choice) => choice.group.id);
    await submit.mutateAsync({ ids, notifyOnly: form.notifyOnly, expectedTotal: total, codes }).catch(() => undefined);
  });
  const names = Object.fromEntries(
    chosen.map((choice) => [choice.group.id, joined(choice.appointment.applicant_names, language)]),
  );
  const error = submit.error;
  const changed = hasCode(error, 'PRICE_CHANGED')
    ? ((error.data as { cost_details?: CostDetails } | null)?.cost_details ?? null)
    : null;
  const taken = hasCode(error, 'SCHEDULE_ALREADY_EXISTS');
  const resume = () => {
    submit.reset();
    delayed.start();
  };
  const idle = delayed.phase === 'idle';
  // A code left in the field was meant to be used: submitting over it would surprise.
  const obstacle = paysHere ? topUpWords(draft) : codeWords(code);
  const ready = agreed && idle && total !== undefined;
  const start = () => {
    setOverCode(obstacle !== null);
    if (obstacle === null) delayed.start();
  };
  const soonest = form.notifyOnly ? null : soonestOf(form, civilToday(Date.now()));
  const edit = (what: string) =>
    idle && (
      <Button variant="text" size="small" aria-label={t('confirm.editOf', { what })} onClick={onPrevious} className={styles.edit}>
        {t('confirm.edit')}
      </Button>
    );
  return (
    <Card>
      <Section
        title={t('confirm.appointments')}
        aside={
          <>
            {t('unit.applicants', { count: applicants })} {edit(t('confirm.appointments'))}
          </>
        }
      >
        <ul className={rows.rows}>
          {chosen.map((choice) => (
            <SummaryRow key={choice.group.id} choice={choice} />
          ))}
        </ul>
      </Section>
      <Section title={t('confirm.criteria')} aside={edit(t('confirm.criteria'))}>
        <FormSummary form={form} />
        {soonest && (
          <div className={styles.soonest}>
            <Alert tone="info">{t('confirm.soonest', { date: soonest })}</Alert>
          </div>
        )}
      </Section>
      <Section title={t('confirm.payment')}>
        <div className={styles.consent}>
          <Text variant="caption" color="tertiary">
            {t(form.notifyOnly ? 'confirm.feeNoteNotify' : 'confirm.feeNote')}
          </Text>
          {price?.estimate && <EstimateNotice onRetry={askAgain} retrying={asking} />}
          {paysHere && price ? (
            <StepTopUp
              missing={missing}
              available={credit?.credit ?? 0}
              currency={price.currency}
              unitPrice={price.unit_price}
              added={topping === 'short'}
              driven={{ ref: topUp, onDraft: setDraft, onEnter: () => ready && start() }}
            />
          ) : (
            <StepCode onState={setCode} />
          )}
          {overCode && obstacle && (
            <Alert tone="warning" live="alert">
              {t(obstacle)}
            </Alert>
          )}
        </div>
      </Section>
      <Section title={t('confirm.title')}>
        <div className={styles.consent}>
          <Checkbox
            label={form.notifyOnly ? t('confirm.agreeNotify') : t('confirm.agree')}
            checked={agreed}
            onChange={(event) => setAgreed(event.target.checked)}
          />
          {!agreed && (
            <Text variant="caption" color="tertiary">
              {t('confirm.mustAgree')}
            </Text>
          )}
          {error && !changed && !short && !taken && (
            <Alert tone="error" title={t('submit.failed')}>
              {t(hasCode(error, NETWORK_ERROR) ? 'submit.lost' : submitErrorWords(error))}
            </Alert>
          )}
        </div>
      </Section>
      <WizardBar
        onPrevious={idle ? onPrevious : undefined}
        sum={total === undefined || !price ? undefined : `${amount(total)} ${price.currency}`}
      >
        {delayed.phase === 'counting' ? (
          <CountdownPill
            label={t(paysHere ? 'submit.inPaying' : 'submit.in', { count: Math.ceil(delayed.leftMs / 1000) })}
            undoLabel={t('task.undo')}
            leftMs={delayed.leftMs}
            totalMs={delayed.totalMs}
            onUndo={delayed.undo}
          />
        ) : (
          <Button disabled={!ready} loading={delayed.phase === 'running'} onClick={start}>
            {paysHere && price ? actionWords(draft, missing, price.currency) : t('submit.button')}
          </Button>
        )}
      </WizardBar>
      {short && (
        <InsufficientDialog
          shortage={short}
          cost={ownCost}
          names={names}
          onClose={() => submit.reset()}
          action="submit.button"
          onResume={resume}
          onMissing={() => submit.reset()}
        />
      )}
      {changed && (
        <PriceChangedDialog
          before={submit.variables?.expectedTotal}
          cost={changed}
          names={names}
          onClose={() => submit.reset()}
          onMissing={() => submit.reset()}
          onConfirm={() => {
            submit.reset();
            setAgreedTo({ total: changed.total_amount, shown: expected });
            delayed.start();
          }}
        />
      )}
      {taken && (
        <TakenDialog
          error={error as ApiError}
          onClose={() => submit.reset()}
          onMissing={() => submit.reset()}
          onRetry={onPrevious}
          onOtherAccount={onOtherAccount}
        />
      )}
    </Card>
  );
}

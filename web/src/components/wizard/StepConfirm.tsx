import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiError, hasCode } from '../../api/errors.ts';
import { queries } from '../../api/queries.ts';
import type { CostDetails, SubmitAnswer } from '../../api/types.ts';
import { joined } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/useLanguage.ts';
import { errorWords } from '../../lib/errorWords.ts';
import type { SearchForm } from '../../lib/searchForm.ts';
import { useDelayedAction } from '../../lib/useDelayedAction.ts';
import { applicantsOf, type Choice } from '../../lib/wizardChoice.ts';
import { CountdownPill } from '../../ui/CountdownPill.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../editor/Section.tsx';
import { FormSummary } from './FormSummary.tsx';
import { InsufficientDialog, type Shortage } from './InsufficientDialog.tsx';
import { PriceChangedDialog } from './PriceChangedDialog.tsx';
import { SummaryRow } from './SummaryRow.tsx';
import { TakenDialog } from './TakenDialog.tsx';
import { useSubmit } from './useSubmit.ts';
import { WizardBar } from './WizardBar.tsx';

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
  const { data: price } = useQuery(queries.pricing());
  const { data: credit } = useQuery(queries.credit());
  const [agreed, setAgreed] = useState(false);
  const [agreedTotal, setAgreedTotal] = useState<number | null>(null);
  const submit = useSubmit(onSubmitted);
  const applicants = applicantsOf(chosen);
  const shown = price && !price.estimate ? Math.round(price.unit_price * applicants * 100) / 100 : undefined;
  const total = agreedTotal ?? shown;
  const delayed = useDelayedAction(() =>
    submit
      .mutateAsync({ ids: chosen.map((choice) => choice.group.id), notifyOnly: form.notifyOnly, expectedTotal: total })
      .catch(() => undefined),
  );
  const names = Object.fromEntries(
    chosen.map((choice) => [choice.group.id, joined(choice.appointment.applicant_names, language)]),
  );
  const error = submit.error;
  const changed = hasCode(error, 'PRICE_CHANGED')
    ? ((error.data as { cost_details?: CostDetails } | null)?.cost_details ?? null)
    : null;
  const short = hasCode(error, 'INSUFFICIENT_CREDIT') ? (error.data as Shortage | null) : null;
  const taken = hasCode(error, 'SCHEDULE_ALREADY_EXISTS');
  const foreseenShort = !short && credit && total !== undefined && credit.credit < total;
  const ownCost: CostDetails | null = price
    ? {
        total_amount: total ?? 0,
        currency: price.currency,
        applicants_count: applicants,
        price_per_applicant: price.unit_price,
        schedule_breakdown: chosen.map((choice) => {
          const count = applicantsOf([choice]);
          return {
            schedule_id: choice.group.id,
            applicants_count: count,
            base_price: price.original_price,
            discounts: price.discount_amount,
            final_price_per_person: price.unit_price,
            total_price: price.unit_price * count,
          };
        }),
      }
    : null;
  const idle = delayed.phase === 'idle';
  return (
    <Card>
      <Section title={t('confirm.appointments')} aside={t('unit.applicants', { count: applicants })}>
        <Box component="ul" sx={{ display: 'grid', gap: 1.25 }}>
          {chosen.map((choice) => (
            <SummaryRow key={choice.group.id} choice={choice} />
          ))}
        </Box>
      </Section>
      <Section title={t('confirm.conditions')}>
        <FormSummary form={form} />
      </Section>
      <Section title={t('confirm.title')}>
        <Box sx={{ display: 'grid', gap: 1.5 }}>
          {foreseenShort && <Notice tone="warning">{t('submit.foreseen')}</Notice>}
          <FormControlLabel
            sx={{ alignItems: 'flex-start' }}
            control={<Checkbox checked={agreed} onChange={(event) => setAgreed(event.target.checked)} sx={{ mt: -1 }} />}
            label={form.notifyOnly ? t('confirm.agreeNotify') : t('confirm.agree')}
            slotProps={{ typography: { variant: 'body2' } }}
          />
          {!agreed && <Box sx={{ fontSize: 13, color: 'text.tertiary' }}>{t('confirm.mustAgree')}</Box>}
          {error && !changed && !short && !taken && (
            <Notice tone="error" title={t('submit.failed')}>
              {t(errorWords(error, 'problem.generic'))}
            </Notice>
          )}
        </Box>
      </Section>
      <WizardBar onPrevious={idle ? onPrevious : undefined}>
        {delayed.phase === 'counting' ? (
          <CountdownPill
            label={t('submit.in', { count: Math.ceil(delayed.leftMs / 1000) })}
            undoLabel={t('task.undo')}
            leftMs={delayed.leftMs}
            totalMs={delayed.totalMs}
            onUndo={delayed.undo}
          />
        ) : (
          <Button disabled={!agreed || !idle} loading={delayed.phase === 'running'} onClick={delayed.start}>
            {t('submit.button')}
          </Button>
        )}
      </WizardBar>
      {short && <InsufficientDialog shortage={short} cost={ownCost} names={names} onClose={() => submit.reset()} />}
      {changed && (
        <PriceChangedDialog
          cost={changed}
          names={names}
          onClose={() => submit.reset()}
          onConfirm={() => {
            submit.reset();
            setAgreedTotal(changed.total_amount);
            delayed.start();
          }}
        />
      )}
      {taken && <TakenDialog error={error as ApiError} onClose={() => submit.reset()} onRetry={onOtherAccount} />}
    </Card>
  );
}

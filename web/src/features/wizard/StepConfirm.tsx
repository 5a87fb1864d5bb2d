import { useTranslation } from 'react-i18next';
import { Section } from '../../parts/criteria/Section.tsx';
import { modeOf, type SearchForm, soonestOf } from '../../parts/criteria/searchForm.ts';
import type { BookingMode, SubmitAnswer } from '../../shared/api/types.ts';
import { useToday } from '../../shared/hooks/useToday.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Checkbox } from '../../shared/ui/Checkbox.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import rows from './appointments.module.css';
import { ConfirmBar } from './ConfirmBar.tsx';
import { ConfirmDialogs } from './ConfirmDialogs.tsx';
import { ConfirmPayment } from './ConfirmPayment.tsx';
import { FormSummary } from './FormSummary.tsx';
import styles from './StepConfirm.module.css';
import { SummaryRow } from './SummaryRow.tsx';
import { type Confirmation, useConfirm } from './useConfirm.ts';
import { applicantsOf, type Choice } from './wizardChoice.ts';

interface Props {
  chosen: Choice[];
  form: SearchForm;
  onPrevious: () => void;
  onSubmitted: (answer: SubmitAnswer) => void;
  onOtherAccount: () => void;
}

/** Renders step 3: the summary, the price and its payment, the consent, and the submit button. */
export function StepConfirm({ chosen, form, onPrevious, onSubmitted, onOtherAccount }: Props) {
  const confirm = useConfirm({ chosen, form, onSubmitted });
  return (
    <Card>
      <Summary chosen={chosen} form={form} onEdit={confirm.idle ? onPrevious : undefined} />
      {confirm.billing && <ConfirmPayment confirm={confirm} notifyOnly={form.notifyOnly} />}
      <Consent confirm={confirm} mode={modeOf(form)} />
      <ConfirmBar confirm={confirm} onPrevious={onPrevious} />
      <ConfirmDialogs confirm={confirm} onPrevious={onPrevious} onOtherAccount={onOtherAccount} />
    </Card>
  );
}

/** Renders the choices of the previous steps. `onEdit` opens them. */
function Summary({ chosen, form, onEdit }: Pick<Props, 'chosen' | 'form'> & { onEdit: (() => void) | undefined }) {
  const { t } = useTranslation();
  const today = useToday(chosen[0]?.appointment.country_code);
  const soonest = form.notifyOnly ? null : soonestOf(form, today);
  const edit = (what: string) =>
    onEdit && (
      <Button variant="text" size="small" aria-label={t('confirm.editOf', { what })} onClick={onEdit} className={styles.edit}>
        {t('confirm.edit')}
      </Button>
    );
  return (
    <>
      <Section
        title={t('confirm.appointments')}
        aside={
          <>
            {t('unit.applicants', { count: applicantsOf(chosen) })} {edit(t('confirm.appointments'))}
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
        <FormSummary form={form} countryCode={chosen[0]?.appointment.country_code} />
        {soonest && (
          <div className={styles.soonest}>
            <Alert tone="info">{t('confirm.soonest', { date: soonest })}</Alert>
          </div>
        )}
      </Section>
    </>
  );
}

const consents = { auto: 'confirm.agree', ask: 'confirm.agreeAsk', notify: 'confirm.agreeNotify' } as const;

/** Renders the consent, and why the last submission was refused. */
function Consent({ confirm, mode }: { confirm: Confirmation; mode: BookingMode }) {
  const { t } = useTranslation();
  const { agreed, setAgreed, refusal } = confirm;
  return (
    <Section title={t('confirm.title')}>
      <div className={styles.consent}>
        <Checkbox label={t(consents[mode])} checked={agreed} onChange={(event) => setAgreed(event.target.checked)} />
        {!agreed && (
          <Text variant="caption" color="tertiary">
            {t('confirm.mustAgree')}
          </Text>
        )}
        {refusal.textKey && (
          <Alert tone="error" title={t('submit.failed')}>
            {t(refusal.textKey)}
          </Alert>
        )}
      </div>
    </Section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { SUBMITTED_TOAST } from '../../parts/balance/lastCharge.ts';
import { highlightTask, presentTask } from '../../parts/task/highlights.ts';
import { queries } from '../../shared/api/queries.ts';
import type { SubmitAnswer } from '../../shared/api/types.ts';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { useToday } from '../../shared/hooks/useToday.ts';
import { amount } from '../../shared/i18n/format.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Container, Stack } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { StepConfigure, StepConfirm, WizardAside } from './lazyParts.ts';
import { openCountry } from './openCountry.ts';
import styles from './page.module.css';
import { wizardQueries } from './queries.ts';
import { StepPortal } from './StepPortal.tsx';
import { Stepper } from './Stepper.tsx';
import { forgetVerifications, useVerification } from './verifyCache.ts';
import { choicesOf, chosenOf, formOf, selectedOf } from './wizardChoice.ts';
import { forgetWizard, useWizardDraft } from './wizardDraft.ts';

const STEPS = ['1', '2', '3'];

/**
 * Renders /schedule/wizard?step=. The step is in the address and the draft in session storage, so
 * that a reload loses only the password.
 */
export function WizardPage() {
  const identity = useIdentity();
  return identity ? <Wizard userId={identity.id} /> : null;
}

function Wizard({ userId }: { userId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [done, setDone] = useState(false);
  const [search] = useSearchParams();
  const [draft, change] = useWizardDraft(userId);
  // Keeps the portal password in memory while the wizard is open, so that a refresh in step 2 need
  // not ask for it.
  const password = useRef('');
  const asked = search.get('step') ?? '1';
  const step = STEPS.indexOf(asked) + 1;
  const ownTasks = useQuery(wizardQueries.ownTasks());
  const go = (next: number) => navigate(paths.wizard(next));
  const today = useToday(draft.countryCode);
  const { data: places } = useQuery(queries.facilities());
  const country = openCountry(places?.countries, draft.countryCode);
  const known = useVerification({
    userId,
    username: draft.username,
    countryCode: draft.countryCode,
    visaType: draft.visaType,
  });
  // In a country that was closed since, nothing can be continued. Step 1 explains it.
  const closed = country !== null && country !== draft.countryCode;
  const cached = closed ? null : known;
  const choices = choicesOf(cached?.verification.schedules ?? [], { tasks: ownTasks.data ?? [], today });
  const selected = selectedOf(choices, draft.selected);
  const chosen = chosenOf(choices, selected);
  const listed = places?.countries.find(({ code }) => code === draft.countryCode)?.facilities;
  const cities = listed?.flatMap(({ id, nameEn }) => (id === null ? [] : nameEn)) ?? [];
  const form = formOf(draft.form, chosen, cities, today);
  const configured = chosen.length > 0 && chosen.every((choice) => draft.configured.includes(choice.group.id));

  const heading =
    step === 2
      ? [t('wizard.step2'), t('wizard.lead2')]
      : step === 3
        ? [t('wizard.step3'), t(form.notifyOnly ? 'wizard.lead3Notify' : 'wizard.lead3')]
        : [t('wizard.step1'), t('wizard.lead1')];
  usePageTitle(step === 0 ? t('wizard.title') : `${heading[0]} · ${t('wizard.title')}`);

  if (step === 0)
    return (
      <Container className={styles.page}>
        <Stack gap={4}>
          <Text as="h1" variant="h2">
            {t('wizard.title')}
          </Text>
          <Alert tone="warning" live="alert" title={t('wizard.unknownStep')}>
            {t('wizard.unknownStepText')} <Link to={paths.wizard(1)}>{t('wizard.startOver')}</Link>
          </Alert>
        </Stack>
      </Container>
    );
  // After the submission the dashboard loads. Until then the wizard must not redirect.
  if (!done && step > 1 && !cached)
    return <Navigate to={`${paths.wizard(1)}${draft.username && !closed ? '&expired=1' : ''}`} replace />;
  if (!done && step === 3 && !configured) return <Navigate to={paths.wizard(2)} replace />;

  const submitted = (answer: SubmitAnswer) => {
    setDone(true);
    const { total_amount = 0, currency = '' } = answer.cost_details ?? {};
    const held = { amount: amount(total_amount), currency };
    toast.success(t('submit.done', held), { name: SUBMITTED_TOAST });
    for (const [index, task] of answer.schedules.entries()) (index === 0 ? presentTask : highlightTask)(task.id);
    forgetVerifications();
    forgetWizard();
    navigate(paths.dashboard);
  };
  return (
    <Container className={styles.page}>
      <div className={styles.head}>
        <Text as="h1" variant="h2">
          {heading[0]}
        </Text>
        <Text variant="small" color="secondary">
          {heading[1]}
        </Text>
      </div>
      <Stepper step={step} />
      <div className={styles.columns}>
        {step === 1 && (
          <StepPortal
            draft={draft}
            country={country}
            cached={cached}
            expired={search.has('expired') && !cached}
            password={password}
            onChange={change}
            onVerified={() => go(2)}
          />
        )}
        {step === 2 && cached && (
          <StepConfigure
            draft={draft}
            form={form}
            cached={cached}
            choices={choices}
            selected={selected}
            cities={cities}
            tasks={ownTasks.isError ? null : (ownTasks.data ?? [])}
            password={password}
            onChange={change}
            onPrevious={() => go(1)}
            onConfigured={() => go(3)}
          />
        )}
        {step === 3 && (
          <StepConfirm
            chosen={chosen}
            form={form}
            onPrevious={() => go(2)}
            onSubmitted={submitted}
            onOtherAccount={() => go(1)}
          />
        )}
        <aside className={classes(styles.aside, step === 3 && styles.first)}>
          {step === 1 ? (
            <Alert tone="quiet" title={t('portal.whatWeDo')}>
              {t('portal.whatWeDoText')}
            </Alert>
          ) : (
            <WizardAside form={form} chosen={chosen} codes={step === 3} />
          )}
        </aside>
      </div>
    </Container>
  );
}

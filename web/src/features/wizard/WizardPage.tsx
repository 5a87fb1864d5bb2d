import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { defaultForm } from '../../parts/criteria/searchForm.ts';
import { highlightTask, presentTask } from '../../parts/task/highlights.ts';
import type { SubmitAnswer } from '../../shared/api/types.ts';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { civilToday } from '../../shared/format/dates.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { SideNote } from '../../shared/legacy/SideNote.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { toast } from '../../shared/ui/toasts.ts';
import { CostCard } from './CostCard.tsx';
import { PlainWords } from './PlainWords.tsx';
import { wizardQueries } from './queries.ts';
import { StepConfigure } from './StepConfigure.tsx';
import { StepConfirm } from './StepConfirm.tsx';
import { StepPortal } from './StepPortal.tsx';
import { Stepper } from './Stepper.tsx';
import { type CachedVerification, forgetVerifications, readVerification } from './verifyCache.ts';
import { choicesOf, chosenOf } from './wizardChoice.ts';
import { forgetWizard, useWizardDraft } from './wizardDraft.ts';

const STEPS = ['1', '2', '3'];

/** /schedule/wizard?step=: the step is in the address, the draft in session storage, so a reload loses nothing but the password. */
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
  const [, rerender] = useState(0);
  const asked = search.get('step') ?? '1';
  const step = STEPS.indexOf(asked) + 1;
  const ownTasks = useQuery(wizardQueries.ownTasks());
  usePageTitle(t('wizard.title'));
  const go = (next: number) => navigate(paths.wizard(next));
  const today = civilToday(Date.now());
  const account = { userId, username: draft.username, countryCode: draft.countryCode, visaType: draft.visaType };
  const stored = draft.username ? readVerification(account, Date.now()) : null;
  // What was fresh when the step was opened stays on the page, however long one thinks about it; its age is said.
  const [held, setHeld] = useState<{ account: string; cached: CachedVerification } | null>(null);
  const name = JSON.stringify(account);
  if (stored && (held?.account !== name || held.cached.readAtMs !== stored.readAtMs)) setHeld({ account: name, cached: stored });
  const cached = stored ?? (step > 1 && held?.account === name ? held.cached : null);
  const form = draft.form ?? defaultForm(today);
  const choices = choicesOf(cached?.verification.schedules ?? [], { tasks: ownTasks.data ?? [], today });
  const chosen = chosenOf(choices, draft.selected);
  const configured = chosen.length > 0 && chosen.every((choice) => draft.configured.includes(choice.group.id));

  if (step === 0)
    return (
      <Container sx={{ py: { xs: 2.5, md: 3.5 } }}>
        <Typography variant="h3" component="h1" sx={{ mb: 2 }}>
          {t('wizard.title')}
        </Typography>
        <Notice tone="warning" live="alert" title={t('wizard.unknownStep')}>
          {t('wizard.unknownStepText')} <Link to={paths.wizard(1)}>{t('wizard.startOver')}</Link>
        </Notice>
      </Container>
    );
  // After the submit the dashboard is on its way: nothing that changes meanwhile may lead elsewhere.
  if (!done && step > 1 && !cached) return <Navigate to={`${paths.wizard(1)}${draft.username ? '&expired=1' : ''}`} replace />;
  if (!done && step === 3 && !configured) return <Navigate to={paths.wizard(2)} replace />;

  const submitted = (answer: SubmitAnswer) => {
    setDone(true);
    toast.success(t('submit.done', { amount: amount(answer.cost_details.total_amount), currency: answer.cost_details.currency }));
    for (const [index, task] of answer.schedules.entries()) (index === 0 ? presentTask : highlightTask)(task.id);
    forgetVerifications();
    forgetWizard();
    navigate(paths.dashboard);
  };
  const heading =
    step === 2
      ? [t('wizard.step2'), t('wizard.lead2')]
      : step === 3
        ? [t('wizard.step3'), t('wizard.lead3')]
        : [t('wizard.step1'), t('wizard.lead1')];
  return (
    <Container sx={{ py: { xs: 2.5, md: 3.5 } }}>
      <Box sx={{ mb: 2.5 }}>
        <Typography variant="h3" component="h1">
          {heading[0]}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.25 }}>
          {heading[1]}
        </Typography>
      </Box>
      <Stepper step={step} />
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 2, md: 3 },
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0,1fr)', md: 'minmax(0,1fr) 368px' },
        }}
      >
        {step === 1 && (
          <StepPortal
            draft={draft}
            cached={cached}
            expired={search.has('expired') && !cached}
            onChange={change}
            onVerified={() => go(2)}
          />
        )}
        {step === 2 && cached && (
          <StepConfigure
            draft={draft}
            cached={cached}
            choices={choices}
            tasks={ownTasks.isError ? null : (ownTasks.data ?? [])}
            onChange={change}
            onRefreshed={() => rerender((n) => n + 1)}
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
        <Box
          component="aside"
          sx={{
            display: 'grid',
            gap: { xs: 2, md: 3 },
            position: { md: 'sticky' },
            top: 88,
            // What it costs is read before it is agreed to.
            order: step === 3 ? { xs: -1, md: 0 } : undefined,
          }}
        >
          {step === 1 ? (
            <Notice tone="quiet" icon="info" title={t('portal.whatWeDo')}>
              {t('portal.whatWeDoText')}
            </Notice>
          ) : (
            <>
              <PlainWords form={form} chosen={chosen} />
              <CostCard chosen={chosen} codes={step === 3} />
            </>
          )}
          {step > 1 && (
            <SideNote icon="shield">
              {t('portal.safe')} <Link to={paths.privacy}>{t('portal.howKept')}</Link>
            </SideNote>
          )}
        </Box>
      </Box>
    </Container>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goToProblem } from '../../parts/criteria/editorParts.ts';
import { ParameterEditor } from '../../parts/criteria/ParameterEditor.tsx';
import { ProblemList } from '../../parts/criteria/ProblemList.tsx';
import { defaultForm, formProblems } from '../../parts/criteria/searchForm.ts';
import type { Task } from '../../shared/api/types.ts';
import { civilToday } from '../../shared/format/dates.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { AppointmentPicker } from './AppointmentPicker.tsx';
import { CachedNotice } from './CachedNotice.tsx';
import { ConfigureProblem } from './ConfigureProblem.tsx';
import { useConfigure } from './useConfigure.ts';
import { useRefresh } from './useRefresh.ts';
import type { CachedVerification } from './verifyCache.ts';
import { WizardBar } from './WizardBar.tsx';
import { type Choice, chosenOf, expiringOf } from './wizardChoice.ts';
import type { WizardDraft } from './wizardDraft.ts';

interface Props {
  draft: WizardDraft;
  cached: CachedVerification;
  choices: Choice[];
  /** One's own tasks; null when they could not be read. */
  tasks: Task[] | null;
  onChange: (part: Partial<WizardDraft>) => void;
  onRefreshed: () => void;
  onPrevious: () => void;
  onConfigured: () => void;
}

/** Step 2: which appointments, and what would be better. */
export function StepConfigure({ draft, cached, choices, tasks, onChange, onRefreshed, onPrevious, onConfigured }: Props) {
  const { t } = useTranslation();
  const today = civilToday(Date.now());
  const form = draft.form ?? defaultForm(today);
  const [asked, setAsked] = useState(false);
  const chosen = chosenOf(choices, draft.selected);
  const problems: Words[] = [...(chosen.length === 0 ? (['wizard.selectOne'] as Words[]) : []), ...formProblems(form, today)];
  const expiring = expiringOf(chosen, today);
  const refresh = useRefresh(draft, onRefreshed);
  const configure = useConfigure((configured) => onChange({ configured }), onConfigured);
  const next = () => {
    setAsked(true);
    if (problems[0]) goToProblem(problems[0]);
    else if (!refresh.busy) configure.mutate({ chosen, form, configured: draft.configured });
  };
  // What was said of the old conditions is not true of others.
  const edit = (part: Partial<WizardDraft>) => {
    configure.reset();
    onChange({ ...part, configured: [] });
  };
  const toggle = (id: string) =>
    edit({ selected: draft.selected.includes(id) ? draft.selected.filter((one) => one !== id) : [...draft.selected, id] });
  return (
    <Box sx={{ display: 'grid', gap: { xs: 2, md: 3 } }}>
      <CachedNotice
        draft={draft}
        readAtMs={cached.readAtMs}
        refresh={refresh}
        locked={configure.isPending}
        onOtherAccount={onPrevious}
      />
      {tasks === null && <Notice tone="warning">{t('wizard.tasksUnknown')}</Notice>}
      <Card>
        <AppointmentPicker
          account={draft.username}
          choices={choices}
          selected={draft.selected}
          problem={asked && chosen.length === 0 ? t('wizard.selectOne') : undefined}
          onToggle={toggle}
        />
        <Box sx={{ borderTop: 1, borderColor: 'divider' }}>
          <ParameterEditor
            form={form}
            facts={{
              today,
              present: chosen.map((choice) => choice.appointment.appointment_date).find(Boolean) ?? null,
              seen: (tasks ?? []).flatMap((task) => task.seen_dates),
              attemptsLeft: null,
            }}
            countryCode={draft.countryCode}
            problems={asked ? problems : []}
            onChange={(changed) => edit({ form: changed })}
          />
        </Box>
        {(expiring || (asked && problems.length > 0) || configure.isError) && (
          <Box sx={{ p: { xs: 2, md: '0 24px 20px' }, display: 'grid', gap: 1.5 }}>
            {expiring && (
              <Notice tone="warning" title={t('wizard.expiringTitle', { count: expiring.count })}>
                {t('wizard.expiringText', { date: expiring.first })}
              </Notice>
            )}
            {asked && <ProblemList problems={problems} />}
            {configure.isError && <ConfigureProblem error={configure.error} />}
          </Box>
        )}
        <WizardBar
          onPrevious={configure.isPending ? undefined : onPrevious}
          problem={asked && problems[0] ? t(problems[0]) : undefined}
        >
          <Button
            onClick={next}
            loading={configure.isPending}
            disabled={refresh.busy}
            endIcon={<Icon name="arrowRight" size={18} />}
          >
            {t('wizard.next')}
          </Button>
        </WizardBar>
      </Card>
    </Box>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/calls.ts';
import { queries } from '../../api/queries.ts';
import type { Words } from '../../i18n/words.ts';
import { civilToday } from '../../lib/dates.ts';
import { goToProblem } from '../../lib/editorParts.ts';
import { configureErrorWords } from '../../lib/errorWords.ts';
import { defaultForm, formProblems, type SearchForm, toSearchParams } from '../../lib/searchForm.ts';
import type { CachedVerification } from '../../lib/verifyCache.ts';
import { type Choice, choicesOf, chosenOf } from '../../lib/wizardChoice.ts';
import type { WizardDraft } from '../../lib/wizardDraft.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { ParameterEditor } from '../editor/ParameterEditor.tsx';
import { ProblemList } from '../editor/ProblemList.tsx';
import { AppointmentPicker } from './AppointmentPicker.tsx';
import { CachedNotice } from './CachedNotice.tsx';
import { WizardBar } from './WizardBar.tsx';

interface Props {
  draft: WizardDraft;
  cached: CachedVerification;
  onChange: (part: Partial<WizardDraft>) => void;
  onRefreshed: () => void;
  onPrevious: () => void;
  onConfigured: () => void;
}

async function configureOne(choice: Choice, form: SearchForm): Promise<string> {
  await api.configure({
    schedule_id: choice.group.id,
    selected_appointments: choice.group.appointments
      .filter((appointment) => appointment.selectable)
      .map((appointment) => ({ schedule_id: appointment.schedule_id, ivr_account_number: appointment.ivr_account_number })),
    search_params: toSearchParams(form),
    appointment_management: { keep_current_appointment: form.notifyOnly },
  });
  return choice.group.id;
}

/** Step 2: which appointments, and what would be better. One configure call per task; a retry repeats only the failures. */
export function StepConfigure({ draft, cached, onChange, onRefreshed, onPrevious, onConfigured }: Props) {
  const { t } = useTranslation();
  const today = civilToday(Date.now());
  const form = draft.form ?? defaultForm(today);
  const [asked, setAsked] = useState(false);
  const tasks = useQuery(queries.tasks());
  const groups = cached.verification.schedules;
  const chosen = chosenOf(groups, draft.selected);
  const problems: Words[] = [...(chosen.length === 0 ? (['wizard.selectOne'] as Words[]) : []), ...formProblems(form)];
  const configure = useMutation({
    mutationFn: async () => {
      const waiting = chosen.filter((choice) => !draft.configured.includes(choice.group.id));
      const results = await Promise.allSettled(waiting.map((choice) => configureOne(choice, form)));
      const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      onChange({ configured: [...draft.configured, ...done] });
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    },
    onSuccess: onConfigured,
  });
  const present = chosen.map((choice) => choice.appointment.appointment_date).find(Boolean) ?? null;
  const seen = (tasks.data?.schedules ?? []).flatMap((task) => task.seen_dates);
  const next = () => {
    setAsked(true);
    if (!problems[0]) configure.mutate();
    else goToProblem(problems[0]);
  };
  return (
    <Box sx={{ display: 'grid', gap: { xs: 2, md: 3 } }}>
      <CachedNotice draft={draft} readAtMs={cached.readAtMs} onRefreshed={onRefreshed} />
      <Card>
        <AppointmentPicker
          account={draft.username}
          choices={choicesOf(groups)}
          selected={draft.selected}
          problem={asked && chosen.length === 0 ? t('wizard.selectOne') : undefined}
          onToggle={(id) =>
            onChange({
              selected: draft.selected.includes(id) ? draft.selected.filter((one) => one !== id) : [...draft.selected, id],
              configured: [],
            })
          }
        />
        <Box sx={{ borderTop: 1, borderColor: 'divider' }}>
          <ParameterEditor
            form={form}
            facts={{ today, present, seen, attemptsLeft: null }}
            countryCode={draft.countryCode}
            onChange={(changed) => onChange({ form: changed, configured: [] })}
          />
        </Box>
        {((asked && problems.length > 0) || configure.isError) && (
          <Box sx={{ p: { xs: 2, md: '0 24px 20px' }, display: 'grid', gap: 1.5 }}>
            {asked && <ProblemList problems={problems} />}
            {configure.isError && (
              <Notice tone="error" title={t('wizard.configureFailed')}>
                {t(configureErrorWords(configure.error))}
              </Notice>
            )}
          </Box>
        )}
        <WizardBar onPrevious={onPrevious} problem={asked && problems[0] ? t(problems[0]) : undefined}>
          <Button onClick={next} loading={configure.isPending} endIcon={<Icon name="arrowRight" size={18} />}>
            {t('wizard.next')}
          </Button>
        </WizardBar>
      </Card>
    </Box>
  );
}

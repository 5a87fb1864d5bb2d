import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from 'sonner';
import { api } from '../../api/calls.ts';
import type { Task } from '../../api/types.ts';
import { civilToday } from '../../lib/dates.ts';
import { errorWords } from '../../lib/errorWords.ts';
import { formProblems, fromSearchParams, onlyCitiesDiffer, type SearchForm, toSearchParams } from '../../lib/searchForm.ts';
import { Notice } from '../../ui/Notice.tsx';
import { ParameterEditor } from '../editor/ParameterEditor.tsx';
import { ProblemList } from '../editor/ProblemList.tsx';

interface Props {
  task: Task;
  onCancel: () => void;
  onSaved: (task: Task) => void;
}

async function save(task: Task, before: SearchForm, form: SearchForm): Promise<Task> {
  const answer = onlyCitiesDiffer(before, form)
    ? await api.updateFacilities(task.id, form.cities)
    : await api.updateTask(task.id, { search_params: toSearchParams(form), keep_current_appointment: form.notifyOnly });
  return answer.schedule;
}

/** The parameter editor of one task with Cancel and Save; a second press while saving does nothing. */
export function TaskEditor({ task, onCancel, onSaved }: Props) {
  const { t } = useTranslation();
  const [before] = useState(() =>
    fromSearchParams(task.schedule_config.search_params, task.schedule_config.keep_current_appointment),
  );
  const [form, setForm] = useState(before);
  const problems = formProblems(form);
  const saving = useMutation({
    mutationFn: () => save(task, before, form),
    onSuccess: (saved) => {
      toast.success(t('editor.saved'));
      onSaved(saved);
    },
  });
  return (
    <>
      <Box sx={{ overflowY: 'auto' }}>
        <ParameterEditor
          form={form}
          facts={{
            today: civilToday(Date.now()),
            present: task.appointments[0]?.appointment_date ?? null,
            seen: task.seen_dates,
            attemptsLeft: task.attempts_left,
          }}
          countryCode={task.country_code}
          onChange={setForm}
        />
      </Box>
      <Box sx={{ display: 'grid', gap: 1.5, p: { xs: 2, md: '16px 24px' }, borderTop: 1, borderColor: 'divider' }}>
        <ProblemList problems={problems} />
        {saving.isError && <Notice tone="error">{t(errorWords(saving.error, 'editor.saveFailed'))}</Notice>}
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
          <Button variant="ghost" onClick={onCancel}>
            {t('editor.cancel')}
          </Button>
          <Button disabled={problems.length > 0} loading={saving.isPending} onClick={() => saving.mutate()}>
            {t('editor.save')}
          </Button>
        </Box>
      </Box>
    </>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/calls.ts';
import type { Task } from '../../api/types.ts';
import { fromSearchParams, onlyCitiesDiffer, type SearchForm, sameForm, toSearchParams } from '../../lib/searchForm.ts';

/** The task's conditions are no longer those the editor began with. */
export class ChangedElsewhere extends Error {
  constructor(readonly form: SearchForm) {
    super('the conditions were changed elsewhere');
  }
}

const formOf = ({ schedule_config: { search_params, keep_current_appointment } }: Task) =>
  fromSearchParams(search_params, keep_current_appointment);

async function save(id: string, before: SearchForm, form: SearchForm, overwrite: boolean): Promise<Task> {
  const present = formOf(await api.task(id));
  if (!overwrite && !sameForm(present, before) && !sameForm(present, form)) throw new ChangedElsewhere(present);
  const answer = onlyCitiesDiffer(present, form)
    ? await api.updateFacilities(id, form.cities)
    : await api.updateTask(id, { search_params: toSearchParams(form), keep_current_appointment: form.notifyOnly });
  return answer.schedule;
}

/**
 * A task's conditions while they are edited, and their saving: only the cities where nothing else changed. What another
 * tab or device changed meanwhile is not overwritten without being asked. A second save while one runs does nothing.
 * `suggested` stands in the fields at the beginning, as if the person had typed it.
 */
export function useSaveWish(task: Task, onSaved: (task: Task) => void, suggested: Partial<SearchForm> = {}) {
  const [before, setBefore] = useState(() => formOf(task));
  const [form, setForm] = useState({ ...before, ...suggested });
  const [turn, setTurn] = useState(0);
  const saving = useMutation({
    networkMode: 'always',
    mutationFn: (overwrite: boolean) => save(task.id, before, form, overwrite),
    onSuccess: onSaved,
  });
  const elsewhere = saving.error instanceof ChangedElsewhere ? saving.error.form : null;
  const takeTheirs = () => {
    if (!elsewhere) return;
    setBefore(elsewhere);
    setForm(elsewhere);
    setTurn(turn + 1);
    saving.reset();
  };
  return {
    form,
    setForm,
    /** Grows when the form is replaced as a whole, so that fields with a memory of their own begin again. */
    turn,
    onlyCities: onlyCitiesDiffer(before, form),
    busy: saving.isPending,
    error: elsewhere ? null : saving.error,
    elsewhere,
    takeTheirs,
    save: (overwrite = false) => {
      if (!saving.isPending) saving.mutate(overwrite);
    },
  };
}

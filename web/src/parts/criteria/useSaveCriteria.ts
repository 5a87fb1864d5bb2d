import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { changedOf, ofTask } from '../../shared/api/tasks.ts';
import type { Task } from '../../shared/api/types.ts';
import { fromSearchParams, modeOf, onlyCitiesDiffer, type SearchForm, sameForm, toSearchParams } from './searchForm.ts';

/** Saved criteria of a task, with their version on the server. */
interface SavedCriteria {
  form: SearchForm;
  version: number;
}

/** Error: the criteria were changed elsewhere while the editor was open. */
class ChangedElsewhere extends Error {
  constructor(readonly present: SavedCriteria) {
    super('the criteria were changed elsewhere');
  }
}

const criteriaOf = ({ schedule_config: { search_params, booking_mode, version } }: Task): SavedCriteria => ({
  form: fromSearchParams(search_params, booking_mode),
  version,
});

async function put(id: string, before: SavedCriteria, form: SearchForm): Promise<Task> {
  const [params, based_on] = [ofTask(id), before.version];
  if (onlyCitiesDiffer(before.form, form)) {
    const body = { required_cities: form.cities, based_on };
    return changedOf(await answer(client.PUT('/schedules/{id}/facilities', { params, body })));
  }
  const body = { search_params: toSearchParams(form), booking_mode: modeOf(form), based_on };
  return changedOf(await answer(client.PUT('/schedules/{id}', { params, body })));
}

async function save(id: string, before: SavedCriteria, form: SearchForm): Promise<Task> {
  try {
    return await put(id, before, form);
  } catch (error) {
    if (!hasCode(error, 'SCHEDULE_CHANGED')) throw error;
    const there = (error.data as { schedule: Task }).schedule;
    const present = criteriaOf(there);
    // If the other change has the same result, or did not concern the criteria, the user has
    // nothing to decide.
    if (sameForm(present.form, form)) return there;
    if (sameForm(present.form, before.form)) return put(id, present, form);
    throw new ChangedElsewhere(present);
  }
}

/**
 * Provides the editing and saving of a task's criteria. If only the cities changed, only the cities
 * are sent. Changes from another tab or device are not overwritten without the user's consent. A
 * save during another save is ignored. `suggested` fills in fields as if the user had typed them.
 */
export function useSaveCriteria(task: Task, onSaved: (task: Task) => void, suggested: Partial<SearchForm> = {}) {
  const [before, setBefore] = useState(() => criteriaOf(task));
  const [form, setForm] = useState({ ...before.form, ...suggested });
  const [begun, setBegun] = useState(form);
  const [turn, setTurn] = useState(0);
  // A second press may come before the next render. This ref changes at once.
  const running = useRef(false);
  const saving = useMutation({
    networkMode: 'always',
    onSettled: () => {
      running.current = false;
    },
    mutationFn: (from: SavedCriteria) => save(task.id, from, form),
    onSuccess: onSaved,
  });
  const elsewhere = saving.error instanceof ChangedElsewhere ? saving.error.present : null;
  const takeTheirs = () => {
    if (!elsewhere) return;
    setBefore(elsewhere);
    setForm(elsewhere.form);
    setBegun(elsewhere.form);
    setTurn(turn + 1);
    saving.reset();
  };
  return {
    form,
    setForm,
    /**
     * Counter that changes when the whole form is replaced. Used as a key, it resets fields with
     * their own state.
     */
    turn,
    /** Saved start of the window, which may be in the past. */
    began: before.form.start,
    /** True if there are unsaved changes. */
    dirty: !sameForm(begun, form),
    onlyCities: onlyCitiesDiffer(before.form, form),
    busy: saving.isPending,
    error: elsewhere ? null : saving.error,
    elsewhere,
    takeTheirs,
    /** Saves the form. `overwrite` replaces the changes made elsewhere that the user has seen. */
    save: (overwrite = false) => {
      if (running.current) return;
      running.current = true;
      saving.mutate((overwrite && elsewhere) || before);
    },
  };
}

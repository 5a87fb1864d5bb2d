import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { civilToday } from '../../shared/format/dates.ts';
import { configureErrorWords } from '../../shared/format/errorWords.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { ParameterEditor } from '../criteria/ParameterEditor.tsx';
import { ProblemList } from '../criteria/ProblemList.tsx';
import { formProblems, isIncomplete, type SearchForm } from '../criteria/searchForm.ts';
import { useSaveWish } from '../criteria/useSaveWish.ts';

interface Props {
  task: Task;
  /** What the fields begin with instead of the task's own conditions. */
  suggested?: Partial<SearchForm>;
  /** Told whether there is anything that leaving would lose. */
  onDirty?: (dirty: boolean) => void;
  onCancel: () => void;
  onSaved: (task: Task) => void;
}

/** The parameter editor of one task with Cancel and Save: on its card, in the dialog and on the page of its own. */
export function TaskEditor({ task, suggested, onDirty, onCancel, onSaved }: Props) {
  const { t } = useTranslation();
  const hintId = useId();
  const wish = useSaveWish(
    task,
    (saved) => {
      toast.success(t('editor.saved'));
      onSaved(saved);
    },
    suggested,
  );
  useEffect(() => onDirty?.(wish.dirty), [onDirty, wish.dirty]);
  const today = civilToday(Date.now());
  const problems = formProblems(wish.form, today, wish.began);
  return (
    <>
      <Box sx={{ overflowY: 'auto' }}>
        <ParameterEditor
          key={wish.turn}
          form={wish.form}
          facts={{
            today,
            began: wish.began,
            present: task.appointments[0]?.appointment_date ?? null,
            seen: task.seen_dates,
            attemptsLeft: task.attempts_left,
          }}
          countryCode={task.country_code}
          problems={problems}
          onChange={wish.setForm}
        />
      </Box>
      <Box sx={{ display: 'grid', gap: 1.5, p: { xs: 2, md: '16px 24px' }, borderTop: 1, borderColor: 'divider' }}>
        <ProblemList problems={problems} />
        {wish.error && (
          <Notice tone="error" title={t(wish.onlyCities ? 'editor.facilitiesFailed' : 'editor.updateFailed')}>
            {t(configureErrorWords(wish.error, 'editor.saveFailed'))}
          </Notice>
        )}
        {wish.elsewhere && (
          <Notice
            tone="warning"
            live="alert"
            title={t('editor.changedElsewhere')}
            action={
              <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
                <Button variant="outlined" size="small" onClick={wish.takeTheirs}>
                  {t('editor.takeTheirs')}
                </Button>
                <Button variant="ghost" size="small" onClick={() => wish.save(true)}>
                  {t('editor.keepMine')}
                </Button>
              </Box>
            }
          >
            {t('editor.changedElsewhereText')}
          </Notice>
        )}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', alignItems: 'center', gap: 1 }}>
          {isIncomplete(problems) && (
            <Typography id={hintId} variant="body2" color="textSecondary" sx={{ flex: '1 1 auto' }}>
              {t('editor.complete')}
            </Typography>
          )}
          <Button variant="ghost" onClick={onCancel}>
            {t('editor.cancel')}
          </Button>
          <Button
            disabled={problems.length > 0}
            loading={wish.busy}
            aria-describedby={isIncomplete(problems) ? hintId : undefined}
            onClick={() => wish.save()}
          >
            {t('editor.save')}
          </Button>
        </Box>
      </Box>
    </>
  );
}

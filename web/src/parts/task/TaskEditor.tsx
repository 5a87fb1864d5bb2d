import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { civilToday } from '../../shared/format/dates.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Row } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { configureErrorWords } from '../criteria/errorWords.ts';
import { ParameterEditor } from '../criteria/ParameterEditor.tsx';
import { ProblemList } from '../criteria/ProblemList.tsx';
import { formProblems, isIncomplete, type SearchForm } from '../criteria/searchForm.ts';
import { useSaveWish } from '../criteria/useSaveWish.ts';
import styles from './TaskEditor.module.css';

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
      <div className={styles.fields}>
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
      </div>
      <div className={styles.foot}>
        <ProblemList problems={problems} />
        {wish.error && (
          <Alert tone="error" title={t(wish.onlyCities ? 'editor.facilitiesFailed' : 'editor.updateFailed')}>
            {t(configureErrorWords(wish.error, 'editor.saveFailed'))}
          </Alert>
        )}
        {wish.elsewhere && (
          <Alert
            tone="warning"
            live="alert"
            title={t('editor.changedElsewhere')}
            action={
              <Row>
                <Button variant="secondary" size="small" onClick={wish.takeTheirs}>
                  {t('editor.takeTheirs')}
                </Button>
                <Button variant="ghost" size="small" onClick={() => wish.save(true)}>
                  {t('editor.keepMine')}
                </Button>
              </Row>
            }
          >
            {t('editor.changedElsewhereText')}
          </Alert>
        )}
        <Row justify="end">
          {isIncomplete(problems) && (
            <Text id={hintId} variant="small" color="secondary" className={styles.hint}>
              {t('editor.complete')}
            </Text>
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
        </Row>
      </div>
    </>
  );
}

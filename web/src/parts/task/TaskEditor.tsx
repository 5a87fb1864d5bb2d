import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { useToday } from '../../shared/hooks/useToday.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Row } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { configureErrorText } from '../criteria/errorText.ts';
import { ParameterEditor } from '../criteria/ParameterEditor.tsx';
import { ProblemList } from '../criteria/ProblemList.tsx';
import { formProblems, isIncomplete, type SearchForm } from '../criteria/searchForm.ts';
import { useSaveCriteria } from '../criteria/useSaveCriteria.ts';
import styles from './TaskEditor.module.css';

interface Props {
  task: Task;
  /** Values to fill in instead of the task's saved criteria. */
  suggested?: Partial<SearchForm>;
  /** Called with whether there are unsaved changes. */
  onDirty?: (dirty: boolean) => void;
  /** Text to show if saving fails. */
  failed?: TextKey;
  onCancel: () => void;
  onSaved: (task: Task) => void;
}

/**
 * Renders the editor of a task's criteria with the buttons *Cancel* and *Save*. The card, the
 * dialog and the edit page use it.
 */
export function TaskEditor({ task, suggested, onDirty, failed = 'editor.updateFailed', onCancel, onSaved }: Props) {
  const { t } = useTranslation();
  const hintId = useId();
  const criteria = useSaveCriteria(
    task,
    (saved) => {
      toast.success(t('editor.saved'));
      onSaved(saved);
    },
    suggested,
  );
  useEffect(() => onDirty?.(criteria.dirty), [onDirty, criteria.dirty]);
  const today = useToday(task.country_code, task.appointments[0]?.facility);
  const problems = formProblems(criteria.form, today, criteria.began);
  return (
    <>
      <div className={styles.fields}>
        <ParameterEditor
          key={criteria.turn}
          form={criteria.form}
          facts={{
            today,
            began: criteria.began,
            present: task.appointments[0]?.appointment_date ?? null,
            seen: task.seen_dates,
            attemptsLeft: task.attempts_left,
            hasFingerprints: task.appointments.some(({ fingerprints }) => fingerprints),
          }}
          countryCode={task.country_code}
          problems={problems}
          onChange={criteria.setForm}
        />
      </div>
      <div className={styles.foot}>
        <ProblemList problems={problems} />
        {criteria.error && (
          <Alert tone="error" title={t(criteria.onlyCities ? 'editor.facilitiesFailed' : failed)}>
            {t(configureErrorText(criteria.error, 'editor.saveFailed'))}
          </Alert>
        )}
        {criteria.elsewhere && (
          <Alert
            tone="warning"
            live="alert"
            title={t('editor.changedElsewhere')}
            action={
              <Row>
                <Button variant="secondary" size="small" onClick={criteria.takeTheirs}>
                  {t('editor.takeTheirs')}
                </Button>
                <Button variant="ghost" size="small" onClick={() => criteria.save(true)}>
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
            loading={criteria.busy}
            aria-describedby={isIncomplete(problems) ? hintId : undefined}
            onClick={() => criteria.save()}
          >
            {t('editor.save')}
          </Button>
        </Row>
      </div>
    </>
  );
}

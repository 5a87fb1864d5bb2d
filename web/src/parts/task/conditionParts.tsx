import { useTranslation } from 'react-i18next';
import type { Task, TaskAction } from '../../shared/api/types.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { useStore } from '../../shared/state/useStore.ts';
import { Button } from '../../shared/ui/Button.tsx';
import styles from './Condition.module.css';
import { CountdownRing } from './CountdownRing.tsx';
import { capability } from './capabilities.ts';
import { type ConditionAction, type ConditionView, conditionView, isMove, type MoveAction } from './condition.ts';
import { yeses } from './givenYes.ts';
import { useConditionValues } from './useConditionValues.ts';

/** A chunk of its own: few are asked, and for two minutes. */
const YesButton = lazyComponent(async () => (await import('./questionParts.tsx')).YesButton);

/** What a condition has a button of its own for. */
export type OwnAction = Exclude<NonNullable<ConditionAction>, MoveAction>;

/** What the one button says. */
const actionWords: Record<OwnAction, Words> = {
  updatePassword: 'condition.updatePassword',
  edit: 'condition.widen',
  acceptGroup: 'condition.acceptGroup',
};

/** What the server must allow for it; agreeing to a price is only offered where there is one to agree to. */
const permissions: Record<OwnAction, TaskAction | null> = {
  updatePassword: 'update_password',
  edit: 'edit',
  acceptGroup: null,
};

/** The condition as it is now: what was asked about is a matter of seconds. */
function useConditionView(task: Task): ConditionView {
  useStore(yeses, (all) => all[task.id]);
  return conditionView(task, useNow(task.engine.verdict.evidence?.asked ? 1_000 : 60_000));
}

/** What a condition needs to be said and acted upon, wherever it stands. */
export interface ConditionProps {
  task: Task;
  hidden: boolean;
  busy: boolean;
  onAction: (action: OwnAction) => void;
}

/** The evidence differs where there is less of it. */
function detailWords(view: ConditionView, task: Task, values: Record<string, string | number>): Words {
  if (view.detail === 'condition.watchingText') {
    if (!values.looked) return 'condition.firstText';
    if (!values.earliest) return 'condition.watchingNothing';
    if (!Number(values.late)) return values.asOf === values.looked ? 'condition.watchingSeenNow' : 'condition.watchingSeen';
  }
  // "Others see dates" is only said where another account was shown some.
  if (view.detail === 'condition.coolingText' && task.engine.verdict.evidence?.others_saw_minutes == null)
    return 'condition.coolingAlone';
  if (view.detail === 'condition.bookedText' && task.success_history[0]?.daysAdvanced === null) return 'condition.bookedFirst';
  return view.detail;
}

/** What a sentence counts, where it is not the reschedules used. The days gained are not counted: the date line says them. */
const counted: Partial<Record<Words, string>> = {
  'condition.watchingText': 'late',
};

/** A task's condition in words: the conclusion and its evidence. */
export function useCondition(task: Task, hidden: boolean): { view: ConditionView; title: string; detail: string } {
  const { t } = useTranslation();
  const view = useConditionView(task);
  const values = useConditionValues(task, hidden);
  const words = detailWords(view, task, values);
  const all = { ...values, count: Number(values[counted[words] ?? 'used']) };
  return { view, title: t(view.title, all), detail: t(words, all) };
}

/** At the end of a condition: the yes that a question waits for, or the one button that mends it and why it may not be pressed, or the countdown. */
export function ConditionEnd({ task, hidden, busy, onAction, large = false }: ConditionProps & { large?: boolean }) {
  const { t } = useTranslation();
  const view = useConditionView(task);
  const { action } = view;
  const { asked } = task.engine.verdict.evidence ?? {};
  const countdown = view.nextAt && view.tone !== 'won' && <CountdownRing nextAt={view.nextAt} waits={view.waits} large={large} />;
  if (view.waits && asked)
    return (
      <div className={styles.answer}>
        <YesButton task={task} asked={asked} hidden={hidden} disabled={busy} />
        {countdown}
      </div>
    );
  if (!action || isMove(action)) return countdown || null;
  const needs = permissions[action];
  const can = needs && capability(task, needs);
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        disabled={busy || can?.allowed === false}
        onClick={() => onAction(action)}
        className={styles.action}
      >
        {t(actionWords[action])}
      </Button>
      {can?.why && <p className={styles.why}>{t(can.why)}</p>}
    </>
  );
}

import { useTranslation } from 'react-i18next';
import type { Task, TaskAction } from '../../shared/api/types.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { useStore } from '../../shared/state/useStore.ts';
import { Button } from '../../shared/ui/Button.tsx';
import styles from './Condition.module.css';
import { CountdownRing } from './CountdownRing.tsx';
import { capability } from './capabilities.ts';
import { type ConditionAction, type ConditionView, conditionView, isMove, type MoveAction } from './condition.ts';
import { lapsedQuestion } from './lapse.ts';
import { approvals } from './pendingApproval.ts';
import { useConditionValues } from './useConditionValues.ts';

/** A separate chunk, because questions are rare and last two minutes. */
const AnswerButtons = lazyComponent(async () => (await import('./questionParts.tsx')).AnswerButtons);
const BookNowButton = lazyComponent(async () => (await import('./questionParts.tsx')).BookNowButton);

/** Action that has its own button in the condition line. */
export type OwnAction = Exclude<NonNullable<ConditionAction>, MoveAction>;

/** Label of each button. */
const actionTexts: Record<OwnAction, TextKey> = {
  updatePassword: 'condition.updatePassword',
  edit: 'condition.widen',
  acceptGroup: 'condition.acceptGroup',
};

/** Permission of the server that each action needs. Null means that no permission is needed. */
const permissions: Record<OwnAction, TaskAction | null> = {
  updatePassword: 'update_password',
  edit: 'edit',
  acceptGroup: null,
};

/**
 * Returns the condition of a task. It is updated every second while there is a question, else every
 * minute.
 */
function useConditionView(task: Task): ConditionView {
  useStore(approvals, (all) => all[task.id]);
  return conditionView(task, useNow(task.engine.verdict.evidence?.asked ? 1_000 : 60_000));
}

/** Properties of the components that render a condition. */
export interface ConditionProps {
  task: Task;
  hidden: boolean;
  busy: boolean;
  onAction: (action: OwnAction) => void;
}

/** Returns the detail text of a condition. It is shorter if evidence is missing. */
function detailTexts(view: ConditionView, task: Task, values: Record<string, string | number>): TextKey {
  if (view.detail === 'condition.watchingText') {
    if (!values.looked) return 'condition.firstText';
    if (!values.earliest) return 'condition.watchingNothing';
    if (!Number(values.late)) return values.asOf === values.looked ? 'condition.watchingSeenNow' : 'condition.watchingSeen';
  }
  // This text mentions dates in the lists of other accounts, which requires that some were seen.
  if (view.detail === 'condition.coolingText' && task.engine.verdict.evidence?.others_saw_minutes == null)
    return 'condition.coolingAlone';
  if (view.detail === 'condition.bookedText' && task.success_history[0]?.daysAdvanced === null) return 'condition.bookedFirst';
  return view.detail;
}

/** Value that selects the plural form of a text, if it is not the number of used reschedules. */
const counted: Partial<Record<TextKey, string>> = {
  'condition.watchingText': 'late',
};

/** Returns the condition of a task with its texts: title and detail. */
export function useCondition(task: Task, hidden: boolean): { view: ConditionView; title: string; detail: string } {
  const { t } = useTranslation();
  const view = useConditionView(task);
  const values = useConditionValues(task, hidden);
  const textKey = detailTexts(view, task, values);
  const all = { ...values, count: Number(values[counted[textKey] ?? 'used']) };
  return { view, title: t(view.title, all), detail: t(textKey, all) };
}

/**
 * Renders the end of a condition line: the answers to a question, a button that solves the
 * problem, or the countdown. A disabled button shows its reason.
 */
export function ConditionEnd({ task, hidden, busy, onAction, large = false }: ConditionProps & { large?: boolean }) {
  const { t } = useTranslation();
  const view = useConditionView(task);
  const { action } = view;
  const { asked } = task.engine.verdict.evidence ?? {};
  const countdown = view.nextAt && view.tone !== 'won' && (
    <CountdownRing nextAt={view.nextAt} waits={view.awaitsApproval} large={large} />
  );
  if (view.awaitsApproval && asked)
    return (
      <div className={styles.answer}>
        <AnswerButtons task={task} asked={asked} hidden={hidden} disabled={busy} />
        {countdown}
      </div>
    );
  const lapse = view.title === 'condition.lapsed' ? lapsedQuestion(task) : null;
  if (lapse?.listed_at)
    return (
      <div className={styles.answer}>
        <BookNowButton task={task} lapse={lapse} hidden={hidden} disabled={busy} />
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
        {t(actionTexts[action])}
      </Button>
      {can?.why && <p className={styles.why}>{t(can.why)}</p>}
    </>
  );
}

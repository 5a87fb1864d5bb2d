import { useTranslation } from 'react-i18next';
import type { Task, TaskAction } from '../../shared/api/types.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { CountdownRing } from './CountdownRing.tsx';
import { capability } from './capabilities.ts';
import { useVerdictValues } from './useVerdictValues.ts';
import styles from './Verdict.module.css';
import { type VerdictAction, type VerdictView, verdictView } from './verdict.ts';

/** What the one button says. */
const actionWords: Record<NonNullable<VerdictAction>, Words> = {
  updatePassword: 'verdict.updatePassword',
  start: 'task.start',
  edit: 'verdict.widen',
  acceptGroup: 'verdict.acceptGroup',
};

/** What the server must allow for it; agreeing to a price is only offered where there is one to agree to. */
const permissions: Record<NonNullable<VerdictAction>, TaskAction | null> = {
  updatePassword: 'update_password',
  start: 'start',
  edit: 'edit',
  acceptGroup: null,
};

/** What a verdict needs to be said and acted upon, wherever it stands. */
export interface VerdictProps {
  task: Task;
  hidden: boolean;
  busy: boolean;
  onAction: (action: NonNullable<VerdictAction>) => void;
}

/** The evidence differs where there is less of it. */
function detailWords(view: VerdictView, task: Task, values: Record<string, string | number>): Words {
  if (view.detail === 'verdict.watchingText') {
    if (!values.looked) return 'verdict.firstText';
    if (!values.earliest) return 'verdict.watchingNothing';
    if (!Number(values.late)) return 'verdict.watchingSeen';
  }
  // "Others see dates" is only said where another account was shown some.
  if (view.detail === 'verdict.coolingText' && task.engine.verdict.evidence?.others_saw_minutes == null)
    return 'verdict.coolingAlone';
  if (view.detail === 'verdict.bookedText' && task.success_history[0]?.daysAdvanced === null) return 'verdict.bookedFirst';
  return view.detail;
}

/** A task's verdict in words: the conclusion and its evidence. */
export function useVerdict(task: Task, hidden: boolean): { view: VerdictView; title: string; detail: string } {
  const { t } = useTranslation();
  const view = verdictView(task);
  const values = useVerdictValues(task, hidden);
  const words = detailWords(view, task, values);
  const count = Number(words === 'verdict.watchingText' ? values.late : values.days);
  return { view, title: t(view.title, { ...values, count: Number(values.days) }), detail: t(words, { ...values, count }) };
}

/** At the verdict's end: the one button that mends it and why it may not be pressed, or else the countdown. */
export function VerdictEnd({ task, busy, onAction, large = false }: Omit<VerdictProps, 'hidden'> & { large?: boolean }) {
  const { t } = useTranslation();
  const view = verdictView(task);
  const { action } = view;
  if (!action) return view.nextAt && view.tone !== 'won' ? <CountdownRing nextAt={view.nextAt} large={large} /> : null;
  const needs = permissions[action];
  const can = needs && capability(task, needs);
  const usedUp = action === 'edit' && task.status_reason === 'reschedules_used';
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        disabled={busy || can?.allowed === false}
        onClick={() => onAction(action)}
        className={styles.action}
      >
        {t(usedUp ? 'verdict.allowMore' : actionWords[action])}
      </Button>
      {can?.why && <p className={styles.why}>{t(can.why)}</p>}
    </>
  );
}

import { useEffect, useState } from 'react';
import { useCityName } from '../../../shared/format/useCityName.ts';
import { withTexts } from '../../../shared/i18n/translations.ts';
import { lazyComponent } from '../../../shared/pwa/lazyComponent.tsx';
import { useStore } from '../../../shared/state/useStore.ts';
import { isSameQuestion } from '../question.ts';
import { remaining } from '../remaining.ts';
import { type TaskQuestion, useOpenQuestions } from './openQuestions.ts';
import { usePageIsFree } from './otherDialog.ts';
import { aside, isAside, putAside } from './putAside.ts';
import { useReloadAtEnd } from './useReloadAtEnd.ts';
import { useTitleCountdown } from './useTitleCountdown.ts';

/** A separate chunk, because questions are rare. */
const QuestionDialog = lazyComponent(() =>
  withTexts(['parts/task/card', 'parts/task/questions'], async () => (await import('./QuestionDialog.tsx')).QuestionDialog),
);

/**
 * Opens the dialog of each open question on every page of a signed-in user, one after another. It
 * waits until no other dialog is open. While a question is open, the title of the tab counts down.
 */
export function QuestionWatch() {
  const cityName = useCityName();
  const questions = useOpenQuestions();
  useStore(aside);
  useReloadAtEnd(questions);
  const [shown, setShown] = useState<TaskQuestion | null>(null);
  const [first] = questions;
  const waiting = questions.find(({ task, asked }) => !isAside(task.id, asked)) ?? null;
  const free = usePageIsFree(waiting !== null && shown === null);
  useEffect(() => {
    if (free && waiting && !shown) setShown(waiting);
  }, [free, waiting, shown]);
  const isShown = ({ task, asked }: TaskQuestion) => task.id === shown?.task.id && isSameQuestion(asked, shown.asked);
  const current = questions.find(isShown);
  // The deadline moves once. The last one decides if the question has lapsed.
  useEffect(() => {
    if (current && shown && current.asked.until !== shown.asked.until) setShown(current);
  }, [current, shown]);
  useTitleCountdown(
    first
      ? `${remaining(Date.parse(first.asked.until) - Date.now())} ${cityName(first.asked.facility)} ${first.asked.date}?`
      : null,
  );
  if (!shown) return null;
  const close = () => {
    putAside(shown.task.id, shown.asked);
    setShown(null);
  };
  const others = questions.filter((one) => !isShown(one) && !isAside(one.task.id, one.asked));
  const { task, asked } = current ?? shown;
  return (
    <QuestionDialog
      key={`${task.id} ${asked.date} ${asked.facility}`}
      task={task}
      asked={asked}
      open={current !== undefined}
      others={others.length}
      onClose={close}
      onNext={() => setShown(null)}
      onMissing={close}
    />
  );
}

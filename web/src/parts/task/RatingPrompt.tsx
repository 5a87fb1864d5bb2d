import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as bounds from '../../shared/api/bounds.ts';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { ofTask, scheduleOf } from '../../shared/api/tasks.ts';
import type { Task } from '../../shared/api/types.ts';
import { errorText } from '../../shared/format/errorText.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { capability } from './capabilities.ts';
import styles from './RatingPrompt.module.css';
import { Stars } from './Stars.tsx';
import { putTask, reloadTask } from './taskCache.ts';

const LONGEST = bounds.Rate.comment.maxLength;
type RatingBody = { stars: number; comment?: string } | { dismissed: true };

/**
 * Renders the prompt for a rating after a task's first booking: one to five stars and a comment.
 * *Not now* counts as an answer, so the prompt appears only once.
 */
export function RatingPrompt({ task }: { task: Task }) {
  const { t } = useTranslation();
  const titleId = useId();
  const [stars, setStars] = useState<number | null>(null);
  const [comment, setComment] = useState('');
  const rate = useMutation({
    mutationFn: (body: RatingBody) =>
      answer(client.POST('/schedules/{id}/rating', { params: ofTask(task.id), body })).then(scheduleOf),
    onSuccess: (schedule) => {
      putTask(schedule);
      if (schedule.rating) toast.success(t('rating.thanks'));
    },
    // The user has rated the task in another window, so this prompt disappears.
    onError: (error) => hasCode(error, 'ALREADY_RATED') && reloadTask(task.id),
  });
  const send = () => {
    const line = comment.trim();
    if (stars) rate.mutate(line ? { stars, comment: line } : { stars });
  };
  if (!task.rating_wanted || !capability(task, 'rate').allowed) return <GivenRating task={task} />;
  return (
    <div role="group" aria-labelledby={titleId} className={styles.root}>
      <h4 id={titleId} className={styles.title}>
        {t('rating.ask')}
      </h4>
      <Stars name={`rating-${task.id}`} labelledBy={titleId} value={stars} disabled={rate.isPending} onChange={setStars} />
      {(stars !== null || rate.isError) && (
        <div className={styles.more}>
          {stars !== null && (
            <TextField
              label={t('rating.comment')}
              hint={t('rating.why')}
              value={comment}
              disabled={rate.isPending}
              maxLength={LONGEST}
              onChange={(event) => setComment(event.target.value)}
            />
          )}
          {rate.isError && <Alert tone="error">{t(errorText(rate.error, 'rating.failed'))}</Alert>}
        </div>
      )}
      <div className={styles.actions}>
        {stars !== null && (
          <Button variant="soft" size="small" loading={rate.isPending} onClick={send}>
            {t('rating.send')}
          </Button>
        )}
        <Button size="small" variant="ghost" disabled={rate.isPending} onClick={() => rate.mutate({ dismissed: true })}>
          {t('rating.notNow')}
        </Button>
      </div>
    </div>
  );
}

/** Renders a submitted rating. */
function GivenRating({ task }: { task: Task }) {
  const { t } = useTranslation();
  if (!task.rating) return null;
  return (
    <Text variant="caption" color="secondary">
      {t('rating.given', { stars: t('rating.stars', { count: task.rating.stars }) })}
    </Text>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Rating from '@mui/material/Rating';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../shared/api/bounds.ts';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { ofTask, scheduleOf } from '../../shared/api/tasks.ts';
import type { Task } from '../../shared/api/types.ts';
import { errorWords } from '../../shared/format/errorWords.ts';
import { Field } from '../../shared/legacy/Field.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { capability } from './capabilities.ts';
import { reloadTask } from './liveUpdates.ts';
import { putTask } from './taskCache.ts';

const LONGEST = bounds.Rate.comment.maxLength;
type Word = { stars: number; comment?: string } | { dismissed: true };

/** Once a task has had a success: one to five stars and a line, or "not now", which is an answer too. Asked once. */
export function RatingPrompt({ task }: { task: Task }) {
  const { t } = useTranslation();
  const titleId = useId();
  const [stars, setStars] = useState<number | null>(null);
  const [comment, setComment] = useState('');
  const [asked, setAsked] = useState(false);
  const rate = useMutation({
    mutationFn: (body: Word) => answer(client.POST('/schedules/{id}/rating', { params: ofTask(task.id), body })).then(scheduleOf),
    onSuccess: (schedule) => {
      putTask(schedule);
      if (schedule.rating) toast.success(t('rating.thanks'));
    },
    // Answered in another window: then it is not asked here either.
    onError: (error) => hasCode(error, 'ALREADY_RATED') && reloadTask(task.id),
  });
  const send = () => {
    setAsked(true);
    const line = comment.trim();
    if (stars) rate.mutate(line ? { stars, comment: line } : { stars });
  };
  if (!task.rating_wanted || !capability(task, 'rate').allowed) return <GivenRating task={task} />;
  return (
    <Box
      role="group"
      aria-labelledby={titleId}
      sx={{
        display: 'grid',
        gap: 1.5,
        p: '14px 16px',
        borderRadius: '12px',
        bgcolor: 'background.quiet',
        border: 1,
        borderColor: 'divider',
      }}
    >
      <div>
        <Box component="h4" id={titleId} sx={{ fontSize: 15, fontWeight: 600, lineHeight: 1.55, m: 0 }}>
          {t('rating.ask')}
        </Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('rating.why')}</Box>
      </div>
      <Rating
        name={`rating-${task.id}`}
        aria-labelledby={titleId}
        value={stars}
        onChange={(_, value) => setStars(value)}
        emptyLabelText={t('rating.none')}
        getLabelText={(count) => t('rating.stars', { count })}
        disabled={rate.isPending}
        size="large"
        sx={{ color: 'tertiary.main', justifySelf: 'start', '& .MuiRating-iconEmpty': { color: 'control' } }}
      />
      {asked && !stars && <Notice tone="error">{t('rating.rateFirst')}</Notice>}
      {stars !== null && (
        <Field
          label={t('rating.comment')}
          value={comment}
          disabled={rate.isPending}
          inputProps={{ maxLength: LONGEST }}
          onChange={(event) => setComment(event.target.value)}
        />
      )}
      {rate.isError && <Notice tone="error">{t(errorWords(rate.error, 'rating.failed'))}</Notice>}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button variant="soft" size="small" loading={rate.isPending} onClick={send}>
          {t('rating.send')}
        </Button>
        <Button size="small" variant="ghost" disabled={rate.isPending} onClick={() => rate.mutate({ dismissed: true })}>
          {t('rating.notNow')}
        </Button>
      </Box>
    </Box>
  );
}

/** What was said, for good. */
function GivenRating({ task }: { task: Task }) {
  const { t } = useTranslation();
  if (!task.rating) return null;
  return (
    <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
      {t('rating.given', { stars: t('rating.stars', { count: task.rating.stars }) })}
    </Box>
  );
}

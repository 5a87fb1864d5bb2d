import { useMutation, useQuery } from '@tanstack/react-query';
import { CalendarCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import type { User } from '../../shared/api/types.ts';
import { Switch } from '../../shared/ui/Checkbox.tsx';
import { VisuallyHidden } from '../../shared/ui/Text.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { Section } from './Section.tsx';

/** Renders the switch that stops a task after its booking. */
export function AutoStopSetting() {
  const { t } = useTranslation();
  const { data } = useQuery(queries.profile());
  const save = useMutation({
    mutationFn: (enabled: boolean) => answer(client.PUT('/user/auto-stop-scheduler', { body: { auto_stop_scheduler: enabled } })),
    onSuccess: ({ autoStopScheduler }) => {
      queryClient.setQueryData<User>(queries.profile().queryKey, (user) => user && { ...user, profile: { autoStopScheduler } });
      toast.success(autoStopScheduler ? t('settings.autoStopOn') : t('settings.autoStopOff'));
    },
    onError: () => toast.error(t('settings.autoStopFailed')),
  });
  const checked = save.isPending ? save.variables : (data?.profile.autoStopScheduler ?? false);
  return (
    <Section
      id="auto-stop"
      icon={CalendarCheck}
      title={t('settings.autoStop')}
      text={t('settings.autoStopText')}
      mark={
        <Switch
          label={<VisuallyHidden>{t('settings.autoStop')}</VisuallyHidden>}
          checked={checked}
          disabled={!data || save.isPending}
          onChange={(event) => save.mutate(event.target.checked)}
        />
      }
    />
  );
}

import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toast } from 'sonner';
import { api } from '../../api/calls.ts';
import { queries, queryClient } from '../../api/queries.ts';
import type { User } from '../../api/types.ts';

/** Whether a task stops by itself after it has booked. */
export function AutoStopSetting() {
  const { t } = useTranslation();
  const { data } = useQuery(queries.profile());
  const save = useMutation({
    mutationFn: api.setAutoStop,
    onSuccess: ({ autoStopScheduler }) => {
      queryClient.setQueryData<User>(queries.profile().queryKey, (user) => user && { ...user, profile: { autoStopScheduler } });
      toast.success(autoStopScheduler ? t('settings.autoStopOn') : t('settings.autoStopOff'));
    },
    onError: () => toast.error(t('settings.autoStopFailed')),
  });
  const checked = save.isPending ? save.variables : (data?.profile.autoStopScheduler ?? false);
  return (
    <Card component="section" sx={{ p: { xs: 2, sm: 2.5 }, display: 'flex', gap: 1.5, alignItems: 'center' }}>
      <Box sx={{ flex: 1 }}>
        <Typography variant="h6" component="h2" id="auto-stop">
          {t('settings.autoStop')}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t('settings.autoStopText')}
        </Typography>
      </Box>
      <Switch
        checked={checked}
        disabled={!data || save.isPending}
        onChange={(event) => save.mutate(event.target.checked)}
        slotProps={{ input: { 'aria-labelledby': 'auto-stop', role: 'switch' } }}
      />
    </Card>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { channelQueries } from '../../../parts/channels/queries.ts';
import styles from '../../../parts/channels/setup/channels.module.css';
import type { Channels, QuietSetting } from '../../../shared/api/channels.ts';
import { answer, client } from '../../../shared/api/client.ts';
import { queryClient } from '../../../shared/api/queries.ts';
import { viewerZone } from '../../../shared/i18n/displayZone.ts';
import type { TextKey } from '../../../shared/i18n/textKey.ts';
import { Checkbox, Switch } from '../../../shared/ui/Checkbox.tsx';
import { Select } from '../../../shared/ui/Select.tsx';
import { TextField } from '../../../shared/ui/TextField.tsx';
import { toast } from '../../../shared/ui/toasts.ts';
import { FormDialog } from '../FormDialog.tsx';
import { zoneChoices, zoneTexts } from './zones.ts';

/** Suggested quiet hours for users without any. */
const NIGHT = { from: '22:00', to: '07:00' };

/** Intervals of a digest, with their texts. */
const DIGESTS = [
  { value: 'off', label: 'reach.digestOff' },
  { value: 'daily', label: 'reach.digestDaily' },
  { value: 'weekly', label: 'reach.digestWeekly' },
] as const satisfies readonly { value: QuietSetting['digest']; label: TextKey }[];

/** Renders the dialog for quiet hours with their zone, questions during them, and the digest. */
export function TimesDialog({ setting, onClose }: { setting: QuietSetting; onClose: () => void }) {
  const { t } = useTranslation();
  const [quiet, setQuiet] = useState(setting.quiet_from !== null);
  const [from, setFrom] = useState(setting.quiet_from ?? NIGHT.from);
  const [to, setTo] = useState(setting.quiet_to ?? NIGHT.to);
  const isChosen = queryClient.getQueryData<Channels>(channelQueries.all().queryKey)?.setting_chosen;
  // A zone that the user has not chosen, or that has no effect, is the browser's at first.
  const hasZone = isChosen && (setting.quiet_from || setting.digest !== 'off');
  const [zone, setZone] = useState(hasZone ? setting.zone : viewerZone());
  const [digest, setDigest] = useState(setting.digest);
  const [asks, setAsks] = useState(setting.questions_at_night);
  const [tried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: (body: QuietSetting) => answer(client.PUT('/user/notifications', { body })),
    onSuccess: (saved) => {
      queryClient.setQueryData<Channels>(
        channelQueries.all().queryKey,
        (all) => all && { ...all, setting: saved, setting_chosen: true },
      );
      toast.success(t('reach.saved'));
      onClose();
    },
  });
  const wrong = quiet && (!from || !to || from === to);
  const submit = () => {
    setTried(true);
    if (wrong) return;
    save.mutate({
      quiet_from: quiet ? from : null,
      quiet_to: quiet ? to : null,
      zone,
      questions_at_night: asks,
      digest,
    });
  };
  return (
    <FormDialog
      title={t('reach.times')}
      send={t('reach.save')}
      sending={save.isPending}
      error={save.error}
      fallback="reach.saveFailed"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onClose={onClose}
    >
      <Switch
        label={t('reach.quiet')}
        hint={t('reach.quietHint')}
        checked={quiet}
        disabled={save.isPending}
        onChange={(event) => setQuiet(event.target.checked)}
      />
      {quiet && (
        <>
          <div className={styles.hours}>
            <TextField
              type="time"
              required
              label={t('reach.from')}
              value={from}
              disabled={save.isPending}
              onChange={(event) => setFrom(event.target.value)}
            />
            <TextField
              type="time"
              required
              label={t('reach.to')}
              value={to}
              error={tried && wrong ? t('reach.hoursWrong') : undefined}
              disabled={save.isPending}
              onChange={(event) => setTo(event.target.value)}
            />
          </div>
          <Checkbox
            label={t('reach.asks')}
            hint={t('reach.asksHint')}
            checked={asks}
            disabled={save.isPending}
            onChange={(event) => setAsks(event.target.checked)}
          />
        </>
      )}
      <Select
        label={t('reach.digest')}
        hint={t('reach.digestHint')}
        value={digest}
        disabled={save.isPending}
        options={DIGESTS.map(({ value, label }) => ({ value, label: t(label) }))}
        onChange={(often) => setDigest(often as QuietSetting['digest'])}
      />
      {(quiet || digest !== 'off') && (
        <Select
          label={t('reach.zoneLabel')}
          value={zone}
          disabled={save.isPending}
          options={zoneChoices(zone).map((value) => {
            const textKey = zoneTexts(value);
            return { value, label: textKey ? t(textKey) : value };
          })}
          onChange={setZone}
        />
      )}
    </FormDialog>
  );
}

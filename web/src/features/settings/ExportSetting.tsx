import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { account, type Progress } from '../../shared/api/account.ts';
import { hasCode, STEP_UP_DECLINED } from '../../shared/api/errors.ts';
import { saveFile } from '../../shared/browser/saveFile.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { Problem } from '../../shared/legacy/Problem.tsx';
import { Section } from './Section.tsx';

const KIB = 1_024;

function size(bytes: number): string {
  return bytes < KIB * KIB ? `${Math.max(1, Math.round(bytes / KIB))} KB` : `${(bytes / KIB / KIB).toFixed(1)} MB`;
}

const stopped = (error: unknown) =>
  hasCode(error, STEP_UP_DECLINED) || (error instanceof DOMException && error.name === 'AbortError');

/** Everything that is kept about someone, as a file; it can be stopped on the way. */
export function ExportSetting() {
  const { t } = useTranslation();
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);
  const receive = useMutation({
    mutationFn: async () => {
      const control = new AbortController();
      running.current = control;
      setProgress(null);
      const file = await account.readExport(setProgress, control.signal);
      saveFile(file.blob, file.name);
      return file.name;
    },
  });
  useEffect(() => () => running.current?.abort(), []);
  return (
    <Section id="export" icon="download" title={t('exportData.title')} text={t('exportData.text')}>
      {receive.isPending ? (
        <Way progress={progress} onCancel={() => running.current?.abort()} />
      ) : (
        <>
          {receive.isError && !stopped(receive.error) && <Problem error={receive.error} fallback="exportData.failed" />}
          {receive.isSuccess && (
            <Notice tone="ok" live="status">
              {t('exportData.done', { name: receive.data })}
            </Notice>
          )}
          <Button variant="outlined" size="small" sx={{ justifySelf: 'start' }} onClick={() => receive.mutate()}>
            {receive.isError && !stopped(receive.error) ? t('problem.retry') : t('exportData.button')}
          </Button>
        </>
      )}
    </Section>
  );
}

function Way({ progress, onCancel }: { progress: Progress | null; onCancel: () => void }) {
  const { t } = useTranslation();
  const percent = progress?.total ? Math.min(100, (progress.received / progress.total) * 100) : null;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <LinearProgress
          aria-label={t('exportData.title')}
          variant={percent === null ? 'indeterminate' : 'determinate'}
          value={percent ?? undefined}
          sx={{ borderRadius: '4px', height: 6 }}
        />
        <Typography variant="caption" color="textSecondary" component="p" role="status" sx={{ mt: 0.75 }}>
          {progress ? t('exportData.receiving', { size: size(progress.received) }) : t('exportData.preparing')}
        </Typography>
      </Box>
      <Button variant="ghost" size="small" startIcon={<Icon name="x" size={16} />} onClick={onCancel}>
        {t('settings.cancel')}
      </Button>
    </Box>
  );
}

import { useMutation } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode, STEP_UP_DECLINED } from '../../shared/api/errors.ts';
import { saveFile } from '../../shared/browser/saveFile.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Progress as Bar } from '../../shared/ui/Progress.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { type Progress, readExport } from './readExport.ts';
import { Section } from './Section.tsx';
import styles from './settings.module.css';

const KIB = 1_024;

function size(bytes: number): string {
  return bytes < KIB * KIB ? `${Math.max(1, Math.round(bytes / KIB))} KB` : `${(bytes / KIB / KIB).toFixed(1)} MB`;
}

const stopped = (error: unknown) =>
  hasCode(error, STEP_UP_DECLINED) || (error instanceof DOMException && error.name === 'AbortError');

/** Renders the download of the user's data, which the user can cancel. */
export function ExportSetting() {
  const { t } = useTranslation();
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);
  const receive = useMutation({
    mutationFn: async () => {
      const control = new AbortController();
      running.current = control;
      setProgress(null);
      const file = await readExport(setProgress, control.signal);
      saveFile(file.blob, file.name);
      return file.name;
    },
  });
  useEffect(() => () => running.current?.abort(), []);
  return (
    <Section id="export" icon={Download} title={t('exportData.title')} text={t('exportData.text')}>
      {receive.isPending ? (
        <Way progress={progress} onCancel={() => running.current?.abort()} />
      ) : (
        <>
          {receive.isError && !stopped(receive.error) && <Problem error={receive.error} fallback="exportData.failed" />}
          {receive.isSuccess && (
            <Alert tone="ok" live="status">
              {t('exportData.done', { name: receive.data })}
            </Alert>
          )}
          <Button variant="secondary" size="small" className={styles.own} onClick={() => receive.mutate()}>
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
    <div className={styles.way}>
      <div className={styles.wayBar}>
        <Bar label={t('exportData.title')} value={percent} />
        <Text variant="caption" color="secondary" role="status">
          {progress ? t('exportData.receiving', { size: size(progress.received) }) : t('exportData.preparing')}
        </Text>
      </div>
      <Button variant="ghost" size="small" start={<Icon of={X} size={16} />} onClick={onCancel}>
        {t('settings.cancel')}
      </Button>
    </div>
  );
}

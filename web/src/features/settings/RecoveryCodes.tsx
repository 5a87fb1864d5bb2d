import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { copyText } from '../../shared/browser/copyText.ts';
import { saveFile } from '../../shared/browser/saveFile.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Checkbox } from '../../shared/ui/Checkbox.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Row, Stack } from '../../shared/ui/Layout.tsx';
import { Text, VisuallyHidden } from '../../shared/ui/Text.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import styles from './settings.module.css';

interface Props {
  codes: string[];
  onClose: () => void;
}

/**
 * Renders new recovery codes, which are shown only once. The dialog closes when the user confirms
 * that they are saved.
 */
export function RecoveryCodesDialog({ codes, onClose }: Props) {
  const { t } = useTranslation();
  const [saved, setSaved] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const actions = (
    <Button disabled={!saved} onClick={onClose}>
      {t('second.done')}
    </Button>
  );
  return (
    <Dialog open locked size="medium" onClose={onClose} title={t('second.codesTitle')} initialFocus={list} actions={actions}>
      <Stack>
        <Text variant="small" color="secondary">
          {t('second.codesText')}
        </Text>
        <ul ref={list} tabIndex={-1} aria-label={t('second.codesTitle')} className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <KeepCodes codes={codes} />
        <Checkbox label={t('second.saved')} checked={saved} onChange={(event) => setSaved(event.target.checked)} />
      </Stack>
    </Dialog>
  );
}

/** Renders the buttons that copy the codes or download them as a file. */
function KeepCodes({ codes }: { codes: string[] }) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (await copyText(codes.join('\n'))) setCopied(true);
    else toast.error(t('support.copyFailed'));
  };
  const download = () => {
    const text = `${t('second.fileHead', { email: identity?.email ?? '', interpolation: { escapeValue: false } })}\n\n${codes.join('\n')}\n`;
    saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), t('second.fileName'));
  };
  return (
    <Row>
      <Button variant="secondary" size="small" onClick={copy}>
        {copied ? t('second.copiedAll') : t('second.copyAll')}
      </Button>
      <Button variant="secondary" size="small" onClick={download}>
        {t('second.download')}
      </Button>
      <span role="status">
        <VisuallyHidden>{copied && t('second.copiedAll')}</VisuallyHidden>
      </span>
    </Row>
  );
}

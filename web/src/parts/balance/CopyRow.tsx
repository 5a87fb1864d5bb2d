import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { useCopied } from '../../shared/hooks/useCopied.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import type { IconName } from '../../shared/legacy/iconPaths.tsx';
import { toast } from '../../shared/ui/toasts.ts';

interface Props {
  icon: IconName;
  label: string;
  /** What is copied; nothing to copy where there is none. */
  value?: string | null;
  /** Shows the contact's QR code, where it has one. */
  onQr?: () => void;
}

/** A contact with its copy button, which says so for 3 s, and its QR code. */
export function CopyRow({ icon, label, value, onQr }: Props) {
  const { t } = useTranslation();
  const { done: copied, copy } = useCopied(value ?? '');
  const copyOrSay = async () => {
    if (!(await copy())) toast.error(t('support.copyFailed'));
  };
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        py: '5px',
        minHeight: 42,
        fontSize: 14,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box sx={{ color: 'text.tertiary', mr: 0.25 }}>
        <Icon name={icon} size={18} />
      </Box>
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{label}</Box>
      {value && (
        <Button
          variant="text"
          size="small"
          onClick={copyOrSay}
          aria-label={copied ? t('support.copied') : t('support.copyWhat', { what: label })}
          sx={{ minHeight: 32, mr: onQr ? -0.5 : -1.5 }}
        >
          {copied ? t('support.copied') : t('support.copy')}
        </Button>
      )}
      {onQr && (
        <IconButton aria-label={t('support.qrOf', { what: label })} onClick={onQr} sx={{ mr: -1.25 }}>
          <Icon name="qr" size={18} />
        </IconButton>
      )}
    </Box>
  );
}

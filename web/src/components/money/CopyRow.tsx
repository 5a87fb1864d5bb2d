import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from 'sonner';
import { copyText } from '../../lib/copyText.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/iconPaths.tsx';

const SHOWN_MS = 3_000;

/** A contact with its copy button, which says so for 3 s. */
export function CopyRow({ icon, label, value }: { icon: IconName; label: string; value: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyText(value)) setCopied(true);
    else toast.error(t('support.copyFailed'));
  };
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.25,
        py: '5px',
        fontSize: 14,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box sx={{ color: 'text.tertiary' }}>
        <Icon name={icon} size={18} />
      </Box>
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{label}</Box>
      <Button
        variant="text"
        size="small"
        onClick={copy}
        aria-label={copied ? t('support.copied') : t('support.copyWhat', { what: label })}
        sx={{ minHeight: 32, mr: -1.5 }}
      >
        {copied ? t('support.copied') : t('support.copy')}
      </Button>
    </Box>
  );
}

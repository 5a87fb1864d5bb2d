import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { paths } from '../../shared/routing/paths.ts';

interface Props {
  onPrevious?: () => void;
  /** Why the last press led nowhere; only on a phone, where the full list can be out of sight. */
  problem?: string;
  children: ReactNode;
}

/** The wizard's buttons: at the foot of the card, on a phone fixed to the bottom edge. */
export function WizardBar({ onPrevious, problem, children }: Props) {
  const { t } = useTranslation();
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: { xs: 'wrap', md: 'nowrap' },
        gap: { xs: '8px 12px', md: 1.5 },
        alignItems: 'center',
        borderTop: 1,
        borderColor: 'divider',
        bgcolor: 'background.paper',
        p: { xs: '10px 16px max(10px, env(safe-area-inset-bottom))', md: '16px 24px' },
        position: { xs: 'fixed', md: 'static' },
        insetInline: 0,
        bottom: 0,
        zIndex: { xs: 1050, md: 'auto' },
        borderRadius: { md: '0 0 16px 16px' },
        boxShadow: { xs: 2, md: 'none' },
        '& > *:last-child': { flex: { xs: 1, md: 'none' } },
      }}
    >
      {problem && (
        <Box
          sx={{
            display: { xs: 'flex', md: 'none' },
            flex: '1 0 100%',
            gap: 1,
            fontSize: 14,
            fontWeight: 500,
            color: 'error.ink',
            '& > svg': { mt: '2px' },
          }}
        >
          <Icon name="crossCircle" size={18} />
          <span>{problem}</span>
        </Box>
      )}
      <Button
        component={Link}
        to={paths.dashboard}
        variant="ghost"
        aria-label={t('wizard.toDashboard')}
        sx={{ ml: { md: -1.75 }, minWidth: 44, px: { xs: 1, md: 1.75 } }}
      >
        <Icon name="arrowLeft" size={18} />
        <Box component="span" sx={{ display: { xs: 'none', md: 'inline' }, ml: 1 }}>
          {t('wizard.toDashboard')}
        </Box>
      </Button>
      <Box sx={{ flex: 1, display: { xs: 'none', md: 'block' } }} />
      {onPrevious && (
        <Button variant="outlined" onClick={onPrevious}>
          {t('wizard.previous')}
        </Button>
      )}
      {children}
    </Box>
  );
}

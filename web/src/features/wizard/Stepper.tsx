import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../shared/legacy/Icon.tsx';

/** Where one is in the wizard: three steps; on a phone only the present one is spelt out. */
export function Stepper({ step }: { step: number }) {
  const { t } = useTranslation();
  const steps = [t('wizard.step1'), t('wizard.step2'), t('wizard.step3')];
  return (
    <Card
      component="ol"
      aria-label={t('wizard.progress')}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: { xs: 1, md: 1.5 },
        p: { xs: '12px 16px', md: '14px 20px' },
        mb: { xs: 2, md: 3 },
      }}
    >
      {steps.map((label, index) => {
        const place = index + 1;
        const done = place < step;
        const now = place === step;
        return (
          <Fragment key={label}>
            {index > 0 && (
              <Box
                component="li"
                aria-hidden
                sx={{ flex: 1, minWidth: 16, height: '1.5px', bgcolor: place <= step ? 'primary.main' : 'divider' }}
              />
            )}
            <Box
              component="li"
              aria-current={now ? 'step' : undefined}
              sx={{
                display: 'flex',
                alignItems: 'center',
                gap: 1.25,
                fontSize: 14,
                fontWeight: now ? 600 : 500,
                whiteSpace: 'nowrap',
                color: now ? 'text.primary' : 'text.secondary',
              }}
            >
              <Box
                component="span"
                sx={{
                  width: 28,
                  height: 28,
                  borderRadius: '50%',
                  display: 'grid',
                  placeItems: 'center',
                  fontWeight: 600,
                  ...(now
                    ? { bgcolor: 'primary.main', color: 'primary.contrastText' }
                    : done
                      ? { bgcolor: 'primary.soft', color: 'primary.ink' }
                      : { boxShadow: 'inset 0 0 0 1.5px var(--mui-palette-control)' }),
                }}
              >
                {done ? <Icon name="check" size={16} /> : place}
              </Box>
              <Box component="span" sx={now ? undefined : { display: { xs: 'none', md: 'inline' } }}>
                {label}
              </Box>
            </Box>
          </Fragment>
        );
      })}
    </Card>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CardHeader } from '../../shared/legacy/CardHeader.tsx';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { paths } from '../../shared/routing/paths.ts';

/** The three steps to a task, and the way there; before the first task the empty list above has that button. */
export function QuickStart({ isFirst = false }: { isFirst?: boolean }) {
  const { t } = useTranslation();
  const steps = [
    { title: t('wizard.step1'), text: t('quick.text1') },
    { title: t('wizard.step2'), text: t('quick.text2') },
    { title: t('wizard.step3'), text: t('quick.text3') },
  ];
  return (
    <Card component="section" aria-labelledby="quick-title">
      <CardHeader title={t('quick.title')} id="quick-title">
        <Box component="span" sx={{ fontSize: 13, color: 'text.tertiary' }}>
          {t('quick.time')}
        </Box>
      </CardHeader>
      <Box
        sx={{
          p: { xs: '12px 16px 16px', sm: '14px 20px 20px' },
          display: 'grid',
          gap: 2.5,
          alignItems: 'start',
          gridTemplateColumns: { xs: '1fr', sm: '1fr auto' },
        }}
      >
        <Box
          component="ol"
          sx={{ display: 'grid', gap: { xs: 1.5, sm: 2.5 }, gridTemplateColumns: { xs: '1fr', sm: 'repeat(3, 1fr)' } }}
        >
          {steps.map((step, index) => (
            <Box
              component="li"
              key={step.title}
              sx={{ display: 'grid', gridTemplateColumns: '28px 1fr', gridTemplateRows: 'auto 1fr', gap: '2px 12px' }}
            >
              <Box
                sx={{
                  gridRow: '1 / span 2',
                  width: 28,
                  height: 28,
                  borderRadius: '50%',
                  display: 'grid',
                  placeItems: 'center',
                  fontSize: 14,
                  fontWeight: 600,
                  color: 'primary.ink',
                  boxShadow: 'inset 0 0 0 1.5px var(--mui-palette-primary-main)',
                }}
              >
                {index + 1}
              </Box>
              <Box sx={{ fontSize: 15, fontWeight: 600, lineHeight: 1.4, pt: '3px' }}>{step.title}</Box>
              <Box sx={{ gridColumn: 2, fontSize: 13, color: 'text.secondary', lineHeight: 1.55 }}>{step.text}</Box>
            </Box>
          ))}
        </Box>
        {!isFirst && (
          <Button component={Link} to={paths.wizard()} variant="soft" startIcon={<Icon name="plus" size={18} />}>
            {t('dashboard.newTask')}
          </Button>
        )}
      </Box>
    </Card>
  );
}

import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/Icon.tsx';
import { PaceClock } from './PaceClock.tsx';
import { Section } from './Section.tsx';

const items = ['pace', 'cities', 'why', 'attempts', 'pay', 'password'] as const;
type Item = (typeof items)[number];

/** Six things people want to know exactly: one is open at a time, or none. */
export function FeatureList() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Item | null>('pace');
  return (
    <Section id="feedback" paper title={t('landing.listTitle')}>
      <Box
        sx={{ display: 'grid', gap: { xs: 4, md: 8 }, gridTemplateColumns: { xs: 'minmax(0,1fr)', md: 'minmax(0,1fr) 400px' } }}
      >
        <div>
          {items.map((item) => (
            <Accordion
              key={item}
              expanded={open === item}
              onChange={(_, expanded) => setOpen(expanded ? item : null)}
              slotProps={{ heading: { component: 'h3' } }}
            >
              <AccordionSummary expandIcon={<Icon name="chevronDown" />} sx={{ px: 0, minHeight: 60 }}>
                <Typography component="span" sx={{ fontSize: 16, fontWeight: 600 }}>
                  {t(`landing.list.${item}`)}
                </Typography>
              </AccordionSummary>
              <AccordionDetails sx={{ px: 0, pt: 0, pb: 2.5 }}>
                <Typography color="textSecondary">{t(`landing.list.${item}Text`)}</Typography>
              </AccordionDetails>
            </Accordion>
          ))}
        </div>
        <PaceClock />
      </Box>
    </Section>
  );
}

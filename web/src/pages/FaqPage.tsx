import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Words } from '../i18n/words.ts';
import { readFaqKeys, storeFaqKeys } from '../lib/faqRead.ts';
import { useIdentity } from '../lib/useIdentity.ts';
import { usePageTitle } from '../lib/usePageTitle.ts';
import { paths } from '../routes/paths.ts';
import { Icon } from '../ui/Icon.tsx';
import { Link } from '../ui/Link.tsx';
import { Tag } from '../ui/Tag.tsx';

const items: { key: string; question: Words; answer: Words }[] = [
  { key: 'continuous', question: 'faq.continuous', answer: 'faq.continuousText' },
  { key: 'multiCity', question: 'faq.multiCity', answer: 'faq.multiCityText' },
  { key: 'cancelCurrent', question: 'faq.cancelCurrent', answer: 'faq.cancelCurrentText' },
  { key: 'postPay', question: 'faq.postPay', answer: 'faq.postPayText' },
  { key: 'rechargeCode', question: 'faq.rechargeCode', answer: 'faq.rechargeCodeText' },
  { key: 'pauseWhenSatisfied', question: 'faq.pauseWhenSatisfied', answer: 'faq.pauseWhenSatisfiedText' },
];
const allKeys = items.map((item) => item.key);

/** /faq: six questions; what was opened counts as read, and that is remembered here. */
export function FaqPage() {
  const { t } = useTranslation();
  const identity = useIdentity();
  const [open, setOpen] = useState<string[]>([]);
  const [read, setRead] = useState(readFaqKeys);
  usePageTitle(t('faq.title'));
  const markRead = (keys: string[]) => {
    const next = [...new Set([...read, ...keys])];
    setRead(next);
    storeFaqKeys(next);
  };
  const toggle = (key: string, expanded: boolean) => {
    setOpen(expanded ? [...open, key] : open.filter((one) => one !== key));
    if (expanded) markRead([key]);
  };
  return (
    <Container sx={{ py: { xs: 2.5, md: 5 }, maxWidth: '840px !important' }}>
      <Typography variant="h3" component="h1">
        {t('faq.title')}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 0.5, mb: 2.5 }}>
        {t('faq.lead')}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mb: 2 }}>
        <Button variant="outlined" size="small" onClick={() => setOpen(allKeys)}>
          {t('faq.expandAll')}
        </Button>
        <Button variant="outlined" size="small" onClick={() => setOpen([])}>
          {t('faq.collapseAll')}
        </Button>
        <Button variant="ghost" size="small" disabled={read.length === allKeys.length} onClick={() => markRead(allKeys)}>
          {t('faq.markAll')}
        </Button>
        {identity && (
          <Button component={Link} to={paths.dashboard} variant="ghost" size="small">
            {t('wizard.toDashboard')}
          </Button>
        )}
      </Box>
      <Card sx={{ px: { xs: 2, sm: 3 }, py: 0.5, '& > :last-child': { borderBottom: 0 } }}>
        {items.map((item) => (
          <Accordion
            key={item.key}
            expanded={open.includes(item.key)}
            onChange={(_, expanded) => toggle(item.key, expanded)}
            slotProps={{ heading: { component: 'h2' } }}
          >
            <AccordionSummary expandIcon={<Icon name="chevronDown" />} sx={{ px: 0, minHeight: 56 }}>
              <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '4px 12px', alignItems: 'center', pr: 1 }}>
                <Typography component="span" sx={{ fontWeight: 600 }}>
                  {t(item.question)}
                </Typography>
                {read.includes(item.key) && (
                  <Tag tone="quiet" icon="check">
                    {t('faq.read')}
                  </Tag>
                )}
              </Box>
            </AccordionSummary>
            <AccordionDetails sx={{ px: 0, pt: 0, pb: 2.5 }}>
              <Typography color="textSecondary">{t(item.answer)}</Typography>
            </AccordionDetails>
          </Accordion>
        ))}
      </Card>
    </Container>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIdentity } from '../../../shared/api/useIdentity.ts';
import { usePageTitle } from '../../../shared/hooks/usePageTitle.ts';
import { paths } from '../../../shared/routing/paths.ts';
import { Link } from '../../../shared/ui/Link.tsx';
import { readFaqKeys, storeFaqKeys } from '../faqRead.ts';
import { faqItems } from './faqItems.ts';
import { Question } from './Question.tsx';

const allKeys = faqItems.map((item) => item.key);
const joined = (some: string[], more: string[]) => [...new Set([...some, ...more])];

/** What is open and what was read. A document that was made ahead knows neither: marks come after its first frame. */
function useReading() {
  const [open, setOpen] = useState<string[]>([]);
  const [read, setRead] = useState<string[]>([]);
  const markRead = useCallback((keys: string[]) => {
    setRead((before) => joined(before, keys));
    storeFaqKeys(joined(readFaqKeys(), keys));
  }, []);
  const toggle = useCallback(
    (key: string, expanded: boolean) =>
      setOpen((before) => (expanded ? joined(before, [key]) : before.filter((one) => one !== key))),
    [],
  );
  useEffect(() => {
    setRead(readFaqKeys());
    const byAddress = () => {
      const key = window.location.hash.slice(1);
      if (!allKeys.includes(key)) return;
      toggle(key, true);
      markRead([key]);
      document.getElementById(key)?.scrollIntoView?.();
    };
    byAddress();
    window.addEventListener('hashchange', byAddress);
    return () => window.removeEventListener('hashchange', byAddress);
  }, [markRead, toggle]);
  return { open, setOpen, read: read.filter((key) => allKeys.includes(key)), markRead, toggle };
}

/** /faq: six questions, each with an address of its own; what was opened counts as read, and that is remembered here. */
export function FaqPage() {
  const { t } = useTranslation();
  const identity = useIdentity();
  const { open, setOpen, read, markRead, toggle } = useReading();
  const readOne = useCallback((key: string) => markRead([key]), [markRead]);
  usePageTitle(t('faq.title'));
  const wide = { display: { xs: 'none', md: 'block' } } as const;
  return (
    <Container
      sx={{
        py: { xs: 2.5, md: 5 },
        display: 'grid',
        gap: { xs: 2, md: 6 },
        gridTemplateColumns: { xs: 'minmax(0,1fr)', md: '300px minmax(0,1fr)' },
        alignItems: 'start',
      }}
    >
      <Box sx={{ position: { md: 'sticky' }, top: { md: 96 } }}>
        <Typography variant="h3" component="h1">
          {t('faq.title')}
        </Typography>
        <Typography color="textSecondary" sx={{ mt: 0.5 }}>
          {t('faq.lead')}
        </Typography>
        <Box component="nav" aria-label={t('faq.jump')} sx={{ ...wide, mt: 3 }}>
          <Box component="ul" sx={{ display: 'grid', gap: 0.25, borderLeft: 1, borderColor: 'divider', typography: 'body2' }}>
            {faqItems.map((item) => (
              <li key={item.key}>
                <Box
                  component="a"
                  href={`#${item.key}`}
                  sx={{
                    display: 'block',
                    py: 0.75,
                    pl: 2,
                    color: open.includes(item.key) ? 'primary.ink' : 'text.secondary',
                    textDecoration: 'none',
                    '&:hover': { color: 'primary.ink' },
                  }}
                >
                  {t(item.question)}
                </Box>
              </li>
            ))}
          </Box>
        </Box>
        <Box sx={{ ...wide, mt: 3, typography: 'caption', color: 'text.tertiary' }}>
          <p>{t('faq.moreText')}</p>
          <Box sx={{ display: 'flex', gap: 2, mt: 0.5 }}>
            <a href={`${paths.home}#contact`}>{t('faq.moreContact')}</a>
            <Link to={paths.privacy}>{t('privacy.title')}</Link>
          </Box>
        </Box>
      </Box>
      <Box>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mb: 2, alignItems: 'center' }}>
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
          <Typography variant="caption" color="textTertiary" sx={{ ml: 'auto' }}>
            {t('faq.progress', { read: read.length, all: allKeys.length })}
          </Typography>
        </Box>
        <Card sx={{ px: { xs: 2, sm: 3 }, py: 0.5 }}>
          {faqItems.map((item) => (
            <Question
              key={item.key}
              item={item}
              open={open.includes(item.key)}
              read={read.includes(item.key)}
              onToggle={toggle}
              onRead={readOne}
            />
          ))}
        </Card>
      </Box>
    </Container>
  );
}

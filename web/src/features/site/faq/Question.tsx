import { styled } from '@mui/material/styles';
import { type Ref, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/legacy/Icon.tsx';
import { Tag } from '../../../shared/legacy/Tag.tsx';
import type { FaqItem } from './faqItems.ts';

const Details = styled('details')(({ theme: { vars, breakpoints, transitions } }) => ({
  borderTop: `1px solid ${vars.palette.divider}`,
  '&:first-of-type': { borderTop: 0 },
  '& summary': {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    boxSizing: 'border-box',
    minHeight: 64,
    padding: '12px 0',
    cursor: 'pointer',
    listStyle: 'none',
  },
  '& summary::-webkit-details-marker': { display: 'none' },
  '& summary:hover h2': { color: vars.palette.primary.ink },
  '& h2': { flex: 1, minWidth: 0, fontSize: 16, fontWeight: 600, lineHeight: 1.5 },
  '& summary > svg': { flex: 'none', transition: `transform ${transitions.duration.short}ms` },
  '&[open] summary > svg': { transform: 'rotate(180deg)' },
  // The address leads to the answer, so that the browser opens it by itself; the question above it must stay in sight.
  '& .answer': { scrollMarginTop: 152, padding: '0 0 24px', maxWidth: '40em', lineHeight: 1.75 },
  '& ul': { display: 'grid', gap: 10, marginTop: 12, color: vars.palette.text.secondary },
  '& li': { position: 'relative', paddingLeft: 20 },
  '& li::before': {
    content: '""',
    position: 'absolute',
    left: 2,
    top: '.72em',
    width: 6,
    height: 6,
    borderRadius: 3,
    background: vars.palette.primary.main,
  },
  [breakpoints.down('sm')]: { '& .answer': { scrollMarginTop: 140 } },
  '@media print': { '& .answer': { breakInside: 'avoid' } },
}));

interface Props {
  item: FaqItem;
  open: boolean;
  read: boolean;
  onToggle: (key: string, open: boolean) => void;
  /** Somebody opens it to read it; all at once is not reading. */
  onRead: (key: string) => void;
}

/** One question with its answer; opened and closed by the browser, so that it can be read without script. */
export function Question({ item: { key, question, answer, rules }, open, read, onToggle, onRead }: Props) {
  const { t } = useTranslation();
  // A question that was opened before the page came alive, or by its address, is open already.
  const first: Ref<HTMLDetailsElement> = useCallback(
    (element: HTMLDetailsElement | null) => {
      if (!element?.open) return;
      onToggle(key, true);
      onRead(key);
    },
    [key, onToggle, onRead],
  );
  return (
    <Details ref={first} open={open} onToggle={(event) => onToggle(key, event.currentTarget.open)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a control, and keys click it */}
      <summary onClick={() => open || onRead(key)}>
        <h2>{t(question)}</h2>
        {read && (
          <Tag tone="quiet" icon="check">
            {t('faq.read')}
          </Tag>
        )}
        <Icon name="chevronDown" />
      </summary>
      <div className="answer" id={key}>
        <p>{t(answer)}</p>
        <ul>
          {rules.map((rule) => (
            <li key={rule}>{t(rule)}</li>
          ))}
        </ul>
      </div>
    </Details>
  );
}

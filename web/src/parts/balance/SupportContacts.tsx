import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CardFooter } from '../../shared/ui/Card.tsx';
import { FoldButton } from '../../shared/ui/FoldButton.tsx';
import { balanceQueries } from './queries.ts';

const ContactList = lazy(async () => ({ default: (await import('./ContactList.tsx')).ContactList }));

/**
 * Renders a button that opens the contacts for buying top-up codes. Renders nothing if the operator
 * has configured none.
 */
export function SupportContacts() {
  const { t } = useTranslation();
  const bodyId = useId();
  const [open, setOpen] = useState(false);
  const { data } = useQuery(balanceQueries.support());
  if (!data) return null;
  if (!(data.wechat_id || data.wechat_picture || data.email || data.xiaohongshu_id || data.group_picture)) return null;
  return (
    <CardFooter>
      <FoldButton wide open={open} controls={bodyId} onToggle={() => setOpen(!open)}>
        {t('support.title')}
      </FoldButton>
      <div id={bodyId} hidden={!open}>
        <Suspense fallback={null}>{open && <ContactList data={data} />}</Suspense>
      </div>
    </CardFooter>
  );
}

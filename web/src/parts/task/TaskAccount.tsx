import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Collapse from '@mui/material/Collapse';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { instantShort } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import type { IconName } from '../../shared/legacy/iconPaths.tsx';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { type Term, TermList } from './TermList.tsx';
import { usePriceTerms } from './usePriceTerms.tsx';

const healths: Record<string, [Words, 'ok' | 'warn' | 'err', IconName]> = {
  valid: ['task.healthValid', 'ok', 'check'],
  rejected: ['task.healthRejected', 'err', 'crossCircle'],
  locked: ['task.healthLocked', 'err', 'lock'],
  captcha: ['task.healthCaptcha', 'err', 'alert'],
  cooling: ['task.healthCooling', 'warn', 'clock'],
};

function useAccountTerms(task: Task): Term[] {
  const { t } = useTranslation();
  const language = useLanguage();
  const { health, health_since, last_sign_in_at, next_try_at, sign_ins_ten_hours } = task.visa_credentials;
  const [words, tone, icon] = healths[health] ?? (['task.healthUnknown', 'warn', 'info'] as const);
  const rows: Term[] = [
    {
      term: t('task.account'),
      value: (
        <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', gap: '2px 8px', alignItems: 'center' }}>
          <Tag tone={tone} icon={icon}>
            {t(words)}
          </Tag>
          {health_since && <span>{t('task.sinceDay', { when: instantShort(health_since, language) })}</span>}
        </Box>
      ),
    },
    {
      term: t('task.lastSignIn'),
      value: last_sign_in_at
        ? t('task.signIns', { when: instantShort(last_sign_in_at, language), count: sign_ins_ten_hours })
        : t('task.never'),
    },
  ];
  if (next_try_at) rows.push({ term: t('task.nextTry'), value: instantShort(next_try_at, language) });
  return rows;
}

/** How the portal login fares and what the price is made of: one line, and all of it on a press; open by itself when something is wrong. */
export function TaskAccount({ task, hidden }: { task: Task; hidden: boolean }) {
  const { t } = useTranslation();
  const bodyId = useId();
  const { health } = task.visa_credentials;
  const [open, setOpen] = useState(health !== 'valid');
  const account = useAccountTerms(task);
  const price = usePriceTerms(task, hidden);
  const [words, tone, icon] = healths[health] ?? (['task.healthUnknown', 'warn', 'info'] as const);
  return (
    <Box>
      <ButtonBase
        aria-expanded={open}
        aria-controls={bodyId}
        onClick={() => setOpen(!open)}
        sx={{ gap: 1, minHeight: 28, fontSize: 13, fontWeight: 600, color: 'text.secondary', borderRadius: '6px' }}
      >
        {t('task.accountAndCost')}
        {!open && (
          <Tag tone={tone} icon={icon}>
            {t(words)}
          </Tag>
        )}
        <Box component="span" sx={{ transform: open ? 'rotate(180deg)' : 'none', transition: 'transform 200ms' }}>
          <Icon name="chevronDown" size={16} />
        </Box>
      </ButtonBase>
      <Collapse in={open} id={bodyId} unmountOnExit>
        <Box sx={{ pt: 1 }}>
          <TermList even rows={[...account, ...price]} />
        </Box>
      </Collapse>
    </Box>
  );
}

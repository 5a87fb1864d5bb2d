import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { Words } from '../../shared/i18n/words.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';

/** What must be mended before saving. */
export function ProblemList({ problems }: { problems: Words[] }) {
  const { t } = useTranslation();
  if (problems.length === 0) return null;
  return (
    <Notice tone="error" title={t('editor.fixFirst')}>
      <Box component="ul" sx={{ pl: 2.25, '& li': { listStyle: 'disc' } }}>
        {problems.map((problem) => (
          <li key={problem}>{t(problem)}</li>
        ))}
      </Box>
    </Notice>
  );
}

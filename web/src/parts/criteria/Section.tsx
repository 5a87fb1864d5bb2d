import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import type { EditorPart } from './editorParts.ts';

interface Props {
  title: string;
  aside?: ReactNode;
  /** Where a problem of the form leads to. */
  part?: EditorPart;
  /** What is wrong here, said above the controls. */
  problem?: ReactNode;
  children: ReactNode;
}

/** One question of the editor: a heading, a remark at its right, the controls. */
export function Section({ title, aside, part, problem, children }: Props) {
  const id = useId();
  return (
    <Box
      component="section"
      aria-labelledby={id}
      aria-describedby={problem ? `${id}-problem` : undefined}
      data-part={part}
      sx={{ scrollMarginTop: '80px', p: { xs: 2, md: '20px 24px 24px' }, '& + &': { borderTop: 1, borderColor: 'divider' } }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '0 16px', alignItems: 'baseline', mb: 1.75 }}>
        <Typography id={id} component="h2" sx={{ fontSize: 16, fontWeight: 600, lineHeight: 1.5, flex: '1 1 auto' }}>
          {title}
        </Typography>
        {aside && (
          <Typography component="div" variant="body2" color="textSecondary">
            {aside}
          </Typography>
        )}
      </Box>
      {problem && (
        <Typography id={`${id}-problem`} variant="body2" sx={{ color: 'error.ink', fontWeight: 500, mt: -0.75, mb: 1.25 }}>
          {problem}
        </Typography>
      )}
      {children}
    </Box>
  );
}

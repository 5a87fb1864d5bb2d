import Box from '@mui/material/Box';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { grounds, useVerdict, VerdictEnd, type VerdictProps } from './verdictParts.tsx';

/** One conclusion, one line of evidence, the countdown; and the one button that mends it, where there is one. */
export function VerdictLine({ task, hidden, busy, onAction }: VerdictProps) {
  const { view, title, detail } = useVerdict(task, hidden);
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'auto 1fr', sm: 'auto 1fr auto' },
        gap: '4px 12px',
        alignItems: 'center',
        p: '12px 14px',
        borderRadius: '12px',
        ...grounds[view.tone],
      }}
    >
      <Box sx={{ color: 'var(--verdict-ink)', alignSelf: 'start', mt: '2px' }}>
        <Icon name={view.icon} />
      </Box>
      <Box role="status">
        <Box component="p" sx={{ fontSize: 15, lineHeight: 1.55, fontWeight: 600 }}>
          {title}
        </Box>
        <Box component="p" sx={{ fontSize: 13, lineHeight: 1.55, color: view.tone === 'won' ? 'inherit' : 'text.secondary' }}>
          {detail}
        </Box>
      </Box>
      <VerdictEnd task={task} busy={busy} onAction={onAction} />
    </Box>
  );
}

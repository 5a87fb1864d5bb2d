import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';

/** A spinner with what is being waited for. */
export function Busy({ text }: { text: string }) {
  return (
    <Box role="status" sx={{ display: 'grid', justifyItems: 'center', gap: 2, py: 3 }}>
      <CircularProgress size={36} thickness={4} aria-hidden />
      <Typography variant="body2" color="textSecondary">
        {text}
      </Typography>
    </Box>
  );
}

import { styled } from '@mui/material/styles';

/** A round button with an icon, as MUI's `IconButton` looks here, without its ripple and its spinner: for the header. */
export const RoundButton = styled('button')(({ theme }) => ({
  display: 'inline-flex',
  flex: '0 0 auto',
  alignItems: 'center',
  justifyContent: 'center',
  width: 36,
  height: 36,
  padding: 8,
  border: 0,
  borderRadius: '50%',
  cursor: 'pointer',
  backgroundColor: 'transparent',
  color: theme.vars.palette.text.secondary,
  transition: theme.transitions.create('background-color', { duration: theme.transitions.duration.shortest }),
  '&:hover': { backgroundColor: theme.vars.palette.neutral.soft, color: theme.vars.palette.text.primary },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 0, borderRadius: '50%' },
}));

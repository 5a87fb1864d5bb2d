import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';

const Tile = styled(ButtonBase)(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '1fr auto',
  alignContent: 'start',
  alignItems: 'start',
  gap: '2px 8px',
  minHeight: 48,
  padding: '11px 12px 10px 14px',
  borderRadius: 12,
  border: `1px solid ${theme.vars.palette.control}`,
  backgroundColor: theme.vars.palette.background.paper,
  textAlign: 'left',
  fontFamily: 'inherit',
  fontSize: 15,
  lineHeight: 1.4,
  fontWeight: 600,
  '&[aria-pressed="true"]': { borderColor: theme.vars.palette.primary.main, backgroundColor: theme.vars.palette.primary.soft },
  '&.Mui-focusVisible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
}));

interface Props {
  name: string;
  rank: number;
  seen?: string;
  onToggle: () => void;
}

/** One city; `rank` is its place in the order of preference, −1 when not chosen. */
export function CityTile({ name, rank, seen, onToggle }: Props) {
  const { t } = useTranslation();
  const chosen = rank >= 0;
  return (
    <Tile aria-pressed={chosen} onClick={onToggle}>
      {name}
      <Box
        component="span"
        sx={{
          width: 20,
          height: 20,
          borderRadius: '6px',
          display: 'grid',
          placeItems: 'center',
          fontSize: 12,
          fontWeight: 600,
          ...(chosen
            ? { bgcolor: 'primary.main', color: 'primary.contrastText' }
            : { border: '1.5px solid', borderColor: 'control' }),
        }}
      >
        {chosen ? rank + 1 : null}
      </Box>
      {seen && (
        <Box
          component="small"
          sx={{ gridColumn: '1 / -1', fontSize: 13, fontWeight: 400, color: 'text.secondary', whiteSpace: 'nowrap' }}
        >
          {t('editor.citySeen', { date: seen })}
        </Box>
      )}
    </Tile>
  );
}

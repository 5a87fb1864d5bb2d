import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';

interface Props {
  anchor: HTMLElement | null;
  links: { href: string; label: string }[];
  onClose: () => void;
}

/** The header's links as a menu, where there is no room for them; a chunk of its own. */
export function OpenMenu({ anchor, links, onClose }: Props) {
  return (
    <Menu anchorEl={anchor} open={anchor !== null} onClose={onClose} slotProps={{ paper: { sx: { minWidth: 200 } } }}>
      {links.map((link) => (
        <MenuItem key={link.href} component="a" href={link.href} onClick={onClose}>
          {link.label}
        </MenuItem>
      ))}
    </Menu>
  );
}

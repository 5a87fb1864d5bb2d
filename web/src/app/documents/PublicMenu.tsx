import { type ReactElement, useState } from 'react';
import { Menu, MenuLink } from '../../shared/ui/Menu.tsx';

interface Props {
  trigger: ReactElement;
  links: { href: string; label: string }[];
}

/**
 * Renders the links of the header as a menu, for narrow windows. It is open when it mounts, because
 * its code loads when the user opens it.
 */
export function PublicMenu({ trigger, links }: Props) {
  const [open, setOpen] = useState(true);
  return (
    <Menu trigger={trigger} open={open} onOpenChange={setOpen}>
      {links.map((link) => (
        <MenuLink key={link.href} href={link.href}>
          {link.label}
        </MenuLink>
      ))}
    </Menu>
  );
}

import { type ReactElement, useState } from 'react';
import { Menu, MenuLink } from '../../shared/ui/Menu.tsx';

interface Props {
  trigger: ReactElement;
  links: { href: string; label: string }[];
}

/** The header's links as a menu, open at first, where there is no room for them; a chunk of its own. */
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

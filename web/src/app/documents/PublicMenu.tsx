import { type ReactElement, useState } from 'react';
import { Menu, MenuLink } from '../../shared/ui/Menu.tsx';

interface Props {
  trigger: ReactElement;
  links: { href: string; label: string }[];
}

/**
 * Renders the header's links as a menu where space is short, open at first. It is a chunk of its
 * own.
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

import { Menu as Base } from '@base-ui/react/menu';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import popup from './popup.module.css';

interface MenuProps {
  /** Button that opens the menu: a `Button` or an `IconButton`. */
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/**
 * Renders a menu that a button opens. Its children are `MenuItem`, `MenuLink` and `MenuSeparator`.
 */
export function Menu({ trigger, children, align = 'end', open, onOpenChange }: MenuProps) {
  return (
    <Base.Root modal={false} open={open} onOpenChange={onOpenChange && ((next) => onOpenChange(next))}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className={popup.positioner}>
          <Base.Popup className={classes(popup.popup, popup.list)}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ItemProps {
  start?: ReactNode;
  end?: ReactNode;
  danger?: boolean;
  children: ReactNode;
}

function Inside({ start, end, children }: Omit<ItemProps, 'danger'>) {
  return (
    <>
      {start}
      <span className={popup.text}>{children}</span>
      {end}
    </>
  );
}

/** Renders a menu item that runs an action. `keepOpen` leaves the menu open afterwards. */
export function MenuItem({
  onClick,
  disabled,
  keepOpen = false,
  danger,
  ...inside
}: ItemProps & { onClick: () => void; disabled?: boolean; keepOpen?: boolean }) {
  return (
    <Base.Item
      onClick={onClick}
      disabled={disabled}
      closeOnClick={!keepOpen}
      className={classes(popup.item, danger && popup.danger)}
    >
      <Inside {...inside} />
    </Base.Item>
  );
}

/**
 * Renders a menu item that is a link: by `href`, or by the router with `render={<Link
 * to="/settings" />}`.
 */
export function MenuLink({
  render,
  danger,
  start,
  end,
  children,
  ...rest
}: ItemProps & Omit<ComponentProps<'a'>, 'style' | 'className' | 'ref'> & { render?: ReactElement }) {
  return (
    <Base.LinkItem {...rest} render={render} closeOnClick className={classes(popup.item, danger && popup.danger)}>
      <Inside start={start} end={end}>
        {children}
      </Inside>
    </Base.LinkItem>
  );
}

/** Renders a line between two groups of menu items. */
export function MenuSeparator() {
  return <Base.Separator className={popup.separator} />;
}

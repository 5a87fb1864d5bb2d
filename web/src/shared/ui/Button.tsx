import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  type SyntheticEvent,
} from 'react';
import styles from './Button.module.css';
import { classes } from './classes.ts';
import { Spinner } from './Spinner.tsx';

/**
 * Purpose of a button: the main action, another action, a quiet one, a link-like one, a dangerous
 * one, one on the dark panel.
 */
type ButtonVariant = 'primary' | 'secondary' | 'soft' | 'ghost' | 'text' | 'danger' | 'dangerText' | 'onDeep';
/** 36, 44 or 52 px high. */
type ButtonSize = 'small' | 'medium' | 'large';

interface Looks {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** As wide as its container. */
  wide?: boolean;
  /** Icon before and after the text. */
  start?: ReactNode;
  end?: ReactNode;
  children: ReactNode;
}

interface ButtonProps extends Looks, Omit<ComponentProps<'button'>, 'ref' | 'children' | 'className' | 'style'> {
  /**
   * Shows a spinner in place of the text, which remains the accessible name, and ignores presses.
   * The focus stays.
   */
  loading?: boolean;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}

const look = ({ variant = 'primary', size = 'medium', wide }: Omit<Looks, 'children'>, className?: string) =>
  classes(styles.root, styles[variant], styles[size], wide && styles.wide, className);

const refuse = (event: SyntheticEvent) => event.preventDefault();
/**
 * Ignores presses of a busy button. Unlike a disabled one it keeps the focus, and Tab leaves it.
 */
const busy = {
  'aria-busy': true,
  'aria-disabled': true,
  'data-loading': '',
  disabled: undefined,
  onClick: refuse,
  onMouseDown: undefined,
  onPointerDown: refuse,
  onKeyDown: (event: KeyboardEvent) => event.key !== 'Tab' && event.preventDefault(),
  onKeyUp: undefined,
};

/** Renders a button with an action. For a link use `ButtonLink`. */
export function Button({ variant, size, wide, start, end, loading = false, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} {...(loading && busy)} className={look({ variant, size, wide }, className)}>
      <span className={styles.content}>
        {start}
        {children}
        {end}
      </span>
      {loading && <Spinner className={styles.spinner} />}
    </button>
  );
}

interface LinkProps extends Looks, Omit<ComponentProps<'a'>, 'children' | 'style'> {
  /** Another kind of link, such as the router's: `render={<Link to="/settings" />}`. */
  render?: ReactElement<ComponentProps<'a'>>;
}

/** Renders a link that looks like a button. */
export function ButtonLink({ variant, size, wide, start, end, render, className, children, ...rest }: LinkProps) {
  const props = { ...rest, className: look({ variant, size, wide }, className) };
  const content = (
    <span className={styles.content}>
      {start}
      {children}
      {end}
    </span>
  );
  return render ? cloneElement(render, props, content) : <a {...props}>{content}</a>;
}

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

/** Look of a button. `primary` is the main action of a page. `onDeep` is for dark panels. */
type ButtonVariant = 'primary' | 'secondary' | 'soft' | 'ghost' | 'text' | 'danger' | 'dangerText' | 'onDeep';
/** Height of 36, 44 or 52 px. */
type ButtonSize = 'small' | 'medium' | 'large';

interface Looks {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Makes the button as wide as its container. */
  wide?: boolean;
  /** Icons before and after the text. */
  start?: ReactNode;
  end?: ReactNode;
  children: ReactNode;
}

interface ButtonProps extends Looks, Omit<ComponentProps<'button'>, 'ref' | 'children' | 'className' | 'style'> {
  /**
   * Shows a spinner in place of the text and ignores presses. The text stays the accessible name,
   * and the button keeps the focus.
   */
  loading?: boolean;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}

const look = ({ variant = 'primary', size = 'medium', wide }: Omit<Looks, 'children'>, className?: string) =>
  classes(styles.root, styles[variant], styles[size], wide && styles.wide, className);

const refuse = (event: SyntheticEvent) => event.preventDefault();
/**
 * Properties of a loading button. It ignores presses. Unlike a disabled button it keeps the focus,
 * and Tab moves on from it.
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

/** Renders a button that runs an action. For navigation use `ButtonLink`. */
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
  /**
   * Element in place of `<a>`, such as a link of the router: `render={<Link to="/settings" />}`.
   */
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

import type { ComponentProps, ElementType, ReactNode } from 'react';
import styles from './Card.module.css';
import { classes } from './classes.ts';

interface CardProps extends ComponentProps<'div'> {
  /** Element to render, by default `div`. */
  as?: ElementType;
  raised?: boolean;
}

/** Renders a card. `raised` marks the main card of a page. */
export function Card({ as: Kind = 'div', raised, className, ...rest }: CardProps) {
  return <Kind {...rest} className={classes(styles.card, raised && styles.raised, className)} />;
}

interface HeaderProps {
  title: ReactNode;
  /** Id of the heading, for `aria-labelledby` of its section. */
  id?: string;
  icon?: ReactNode;
  level?: 2 | 3;
  /** Content at the right end. */
  children?: ReactNode;
}

/** Renders the heading of a card. */
export function CardHeader({ title, id, icon, level = 2, children }: HeaderProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.header}>
      {icon}
      <Heading id={id} className={styles.title}>
        {title}
      </Heading>
      {children}
    </div>
  );
}

/** Renders the content of a card. */
export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes(styles.body, className)} />;
}

/** Renders the footer of a card, below a thin line. */
export function CardFooter({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes(styles.footer, className)} />;
}

/** Renders a block with a muted background within a card. */
export function Inset({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes(styles.inset, className)} />;
}

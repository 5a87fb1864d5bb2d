import type { ComponentProps, ElementType, ReactNode } from 'react';
import styles from './Card.module.css';
import { classes } from './classes.ts';

interface CardProps extends ComponentProps<'div'> {
  /** The element, by default `div`. */
  as?: ElementType;
  raised?: boolean;
}

/** Renders a sheet of paper on the page. `raised` is for the page's main one. */
export function Card({ as: Kind = 'div', raised, className, ...rest }: CardProps) {
  return <Kind {...rest} className={classes(styles.card, raised && styles.raised, className)} />;
}

interface HeaderProps {
  title: ReactNode;
  /** Id of the heading, for `aria-labelledby` of its section. */
  id?: string;
  icon?: ReactNode;
  level?: 2 | 3;
  /** At the right. */
  children?: ReactNode;
}

/** Renders a card's first line. */
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

/** Renders a card's content. */
export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes(styles.body, className)} />;
}

/** Renders a card's last line, below a hairline. */
export function CardFooter({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes(styles.footer, className)} />;
}

/** Renders a quiet block within a card. */
export function Inset({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes(styles.inset, className)} />;
}

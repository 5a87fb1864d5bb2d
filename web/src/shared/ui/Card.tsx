import type { ComponentProps, ElementType, ReactNode } from 'react';
import styles from './Card.module.css';
import { classes } from './classes.ts';

interface CardProps extends ComponentProps<'div'> {
  /** The element; `div` without it. */
  as?: ElementType;
  raised?: boolean;
}

/** A sheet of paper on the page. `raised` for the one that the page is about. */
export function Card({ as: Kind = 'div', raised, className, ...rest }: CardProps) {
  return <Kind {...rest} className={classes(styles.card, raised && styles.raised, className)} />;
}

interface HeaderProps {
  title: ReactNode;
  /** Names the heading, for `aria-labelledby` of its section. */
  id?: string;
  icon?: ReactNode;
  level?: 2 | 3;
  /** Stands at the right. */
  children?: ReactNode;
}

/** A card's first line. */
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

/** What a card holds. */
export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes(styles.body, className)} />;
}

/** A card's last line, under a hairline. */
export function CardFooter({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes(styles.footer, className)} />;
}

/** A quiet block within a card. */
export function Inset({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes(styles.inset, className)} />;
}

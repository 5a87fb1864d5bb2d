import type { FormEvent, ReactNode } from 'react';
import { classes } from '../../shared/ui/classes.ts';
import { Stack } from '../../shared/ui/Layout.tsx';
import styles from './FormBox.module.css';

/**
 * Renders the column of an account form: notices, fields, button, links. The method is POST, so
 * that a browser never puts passwords into an address.
 */
export function FormBox({ onSubmit, children }: { onSubmit: (event: FormEvent) => unknown; children: ReactNode }) {
  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)}>
      <Stack>{children}</Stack>
    </form>
  );
}

/** Renders the last line of an account form with links. `hidden` keeps its place. */
export function FormLinks({ hidden = false, children }: { hidden?: boolean; children: ReactNode }) {
  return <div className={classes(styles.links, hidden && styles.kept)}>{children}</div>;
}

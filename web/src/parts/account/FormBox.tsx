import type { FormEvent, ReactNode } from 'react';
import { classes } from '../../shared/ui/classes.ts';
import { Stack } from '../../shared/ui/Layout.tsx';
import styles from './FormBox.module.css';

/**
 * Renders the frame of an account form: notices, fields, button, links. The method is POST, so that
 * a browser without the page's code never puts passwords into an address.
 */
export function FormBox({ onSubmit, children }: { onSubmit: (event: FormEvent) => unknown; children: ReactNode }) {
  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)}>
      <Stack>{children}</Stack>
    </form>
  );
}

/** Renders the links below an account form. `hidden` makes them invisible but keeps their space. */
export function FormLinks({ hidden = false, children }: { hidden?: boolean; children: ReactNode }) {
  return <div className={classes(styles.links, hidden && styles.kept)}>{children}</div>;
}

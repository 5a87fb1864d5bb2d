import type { FormEvent, ReactNode } from 'react';
import { classes } from '../../shared/ui/classes.ts';
import { Stack } from '../../shared/ui/Layout.tsx';
import styles from './FormBox.module.css';

/** The column of an account form: notices, fields, button, links. A browser that sends it by itself must not put passwords into an address: post. */
export function FormBox({ onSubmit, children }: { onSubmit: (event: FormEvent) => unknown; children: ReactNode }) {
  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)}>
      <Stack>{children}</Stack>
    </form>
  );
}

/** The last line of an account form: where else one may want to go; `hidden` keeps its place. */
export function FormLinks({ hidden = false, children }: { hidden?: boolean; children: ReactNode }) {
  return <div className={classes(styles.links, hidden && styles.kept)}>{children}</div>;
}

import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { lazyComponent } from '../pwa/lazyComponent.tsx';
import { reloadForNewBuild } from '../pwa/newBuild.ts';
import { classes } from './classes.ts';
import { FieldShell } from './FieldShell.tsx';
import { Icon } from './Icon.tsx';
import styles from './Select.module.css';
import type { SelectProps } from './SelectList.tsx';

const SelectList = lazyComponent(async () => (await import('./SelectList.tsx')).SelectList, reloadForNewBuild);

/**
 * Renders a field that opens a list of options. Its code loads after the page has rendered. Until
 * then a button with the same look takes its place. If the user presses that button, the list opens
 * once the code has loaded.
 */
export function Select<T extends string>(props: SelectProps<T>) {
  const [begun, setBegun] = useState<'focused' | 'pressed' | null>(null);
  const { options, value, onChange: _, placeholder, name: __, disabled, size = 'medium', className, ...shell } = props;
  return (
    <SelectList
      {...(props as SelectProps<string>)}
      begun={begun}
      fallback={
        <FieldShell {...shell} className={className}>
          {(control) => (
            <button
              type="button"
              role="combobox"
              aria-expanded={false}
              aria-haspopup="listbox"
              disabled={disabled}
              {...control}
              onFocus={() => setBegun('focused')}
              onBlur={() => setBegun(null)}
              onClick={() => setBegun('pressed')}
              className={classes(styles.trigger, styles[size], shell.error !== undefined && styles.wrong)}
            >
              <span className={styles.value}>{options.find((option) => option.value === value)?.label ?? placeholder}</span>
              <span className={styles.icon}>
                <Icon of={ChevronDown} />
              </span>
            </button>
          )}
        </FieldShell>
      }
    />
  );
}

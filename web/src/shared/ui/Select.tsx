import { useState } from 'react';
import { lazyComponent } from '../pwa/lazyComponent.tsx';
import { reloadForNewBuild } from '../pwa/newBuild.ts';
import { FieldShell } from './FieldShell.tsx';
import { type Begun, SelectButton } from './SelectButton.tsx';
import type { SelectProps } from './SelectList.tsx';

const SelectList = lazyComponent(async () => (await import('./SelectList.tsx')).SelectList, reloadForNewBuild);

/**
 * Renders a field that opens a list of options. Its code loads after the page has rendered. Until
 * then a button with the same look takes its place. If the user presses that button, the list opens
 * once the code has loaded.
 */
export function Select<T extends string>(props: SelectProps<T>) {
  const [begun, setBegun] = useState<Begun>(null);
  const { options, value, onChange: _, placeholder, name: __, disabled, size, className, ...shell } = props;
  return (
    <SelectList
      {...(props as SelectProps<string>)}
      begun={begun}
      fallback={
        <FieldShell {...shell} className={className}>
          {(control) => (
            <SelectButton
              {...control}
              opens="listbox"
              disabled={disabled}
              size={size}
              wrong={shell.error !== undefined}
              onBegun={setBegun}
            >
              {options.find((option) => option.value === value)?.label ?? placeholder}
            </SelectButton>
          )}
        </FieldShell>
      }
    />
  );
}

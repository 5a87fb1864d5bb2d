import { CSPProvider } from '@base-ui/react/csp-provider';
import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { type FieldProps, FieldShell } from './FieldShell.tsx';
import { Icon } from './Icon.tsx';
import popup from './popup.module.css';
import styles from './Select.module.css';
import type { Begun } from './SelectButton.tsx';

interface Option<T> {
  value: T;
  label: ReactNode;
  disabled?: boolean;
}

export interface SelectProps<T extends string = string> extends FieldProps {
  options: Option<T>[];
  value: T | null;
  onChange(value: T): void;
  /** Text while no option is chosen. */
  placeholder?: string;
  name?: string;
  disabled?: boolean;
  size?: 'medium' | 'small';
  className?: string;
}

/** Renders the field and its list of options. */
export function SelectList({ begun, ...props }: SelectProps & { begun: Begun }) {
  const { options, value, onChange, placeholder, name, disabled, size = 'medium', className, ...shell } = props;
  return (
    <FieldShell {...shell} className={className}>
      {(control) => (
        <Base.Root
          items={options}
          value={value}
          onValueChange={(next) => next !== null && onChange(next)}
          name={name}
          disabled={disabled}
          modal={false}
          defaultOpen={begun === 'pressed'}
        >
          <Base.Trigger
            {...control}
            autoFocus={begun !== null}
            className={classes(styles.trigger, styles[size], shell.error !== undefined && styles.wrong)}
          >
            <span className={styles.value}>
              <Base.Value placeholder={placeholder} />
            </span>
            <Base.Icon className={styles.icon}>
              <Icon of={ChevronDown} />
            </Base.Icon>
          </Base.Trigger>
          {/* Base UI would add a style element for the list, which the content security policy
              forbids. */}
          <CSPProvider disableStyleElements>
            <Base.Portal>
              <Base.Positioner alignItemWithTrigger={false} sideOffset={4} className={popup.positioner}>
                <Base.Popup className={classes(popup.popup, popup.list)}>
                  {options.map((option) => (
                    <Base.Item key={option.value} value={option.value} disabled={option.disabled} className={popup.item}>
                      <Base.ItemText className={popup.text}>{option.label}</Base.ItemText>
                      <Base.ItemIndicator className={popup.mark}>
                        <Icon of={Check} size={16} />
                      </Base.ItemIndicator>
                    </Base.Item>
                  ))}
                </Base.Popup>
              </Base.Positioner>
            </Base.Portal>
          </CSPProvider>
        </Base.Root>
      )}
    </FieldShell>
  );
}

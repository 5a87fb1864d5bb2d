import { Combobox as Base } from '@base-ui/react/combobox';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Check, ChevronDown, Search } from 'lucide-react';
import { useState } from 'react';
import { classes } from './classes.ts';
import { type FieldProps, FieldShell } from './FieldShell.tsx';
import { Icon } from './Icon.tsx';
import popup from './popup.module.css';
import styles from './SearchSelect.module.css';
import select from './Select.module.css';
import type { Begun } from './SelectButton.tsx';

export interface SearchOption {
  value: string;
  label: string;
  /** Short remark after the label. */
  note?: string;
  /** Text on a second line. */
  detail?: string;
  /** True if the option cannot be chosen. It can still be reached and pressed, to learn why. */
  unavailable?: boolean;
}

export interface SearchSelectProps extends Pick<FieldProps, 'hint' | 'error' | 'after'> {
  /** Name of the field, its dialog and its list. */
  label: string;
  id?: string;
  /** Returns the options for a text in the search field, in order. Without text it returns all. */
  find(query: string): SearchOption[];
  /** Chosen value, or null if it is unknown. */
  value: string | null;
  /** Label of the value. */
  shown: string;
  onChange(value: string): void;
  /** Called if the user presses an option that cannot be chosen. */
  onUnavailable(value: string): void;
  /** Name of the search field. */
  searchLabel: string;
  /** Text if no option is found. */
  empty: string;
}

function Option({ value, label, note, detail, unavailable }: SearchOption) {
  return (
    <Base.Item value={value} aria-disabled={unavailable || undefined} className={popup.item}>
      <span className={popup.text}>
        {label}
        {note && <> · {note}</>}
        {detail && <small className={styles.detail}>{detail}</small>}
      </span>
      <Base.ItemIndicator className={popup.mark}>
        <Icon of={Check} size={16} />
      </Base.ItemIndicator>
    </Base.Item>
  );
}

/**
 * Renders a field that opens a list of options with a search field. It looks like `Select`. Load it
 * with `lazyComponent`, and show a `SelectButton` until then.
 */
export function SearchSelect({ begun, ...props }: SearchSelectProps & { begun: Begun }) {
  const { find, value, shown, onChange, onUnavailable, searchLabel, empty, ...shell } = props;
  const [query, setQuery] = useState('');
  const all = new Map(find('').map((option) => [option.value, option]));
  const found = new Map(find(query).map((option) => [option.value, option]));
  const choose = (next: string | null) => {
    if (next === null) return;
    if (all.get(next)?.unavailable) onUnavailable(next);
    else onChange(next);
  };
  return (
    <FieldShell {...shell}>
      {(control) => (
        <Base.Root
          items={[...all.keys()]}
          filteredItems={[...found.keys()]}
          itemToStringLabel={(item) => all.get(item)?.label ?? item}
          value={value}
          onValueChange={choose}
          onInputValueChange={setQuery}
          autoHighlight
          defaultOpen={begun === 'pressed'}
        >
          <Base.Trigger
            {...control}
            autoFocus={begun !== null}
            className={classes(select.trigger, select.medium, shell.error !== undefined && select.wrong)}
          >
            <span className={select.value}>{shown}</span>
            <Base.Icon className={select.icon}>
              <Icon of={ChevronDown} />
            </Base.Icon>
          </Base.Trigger>
          {/* Base UI would add a style element for the list, which the content security policy
              forbids. */}
          <CSPProvider disableStyleElements>
            <Base.Portal>
              <Base.Positioner align="start" sideOffset={4} className={popup.positioner}>
                <Base.Popup aria-label={shell.label} className={classes(popup.popup, styles.popup)}>
                  <div className={styles.search}>
                    <Icon of={Search} size={18} />
                    <Base.Input
                      aria-label={searchLabel}
                      placeholder={searchLabel}
                      autoCapitalize="none"
                      autoCorrect="off"
                      spellCheck={false}
                      className={styles.input}
                    />
                  </div>
                  <Base.Empty className={styles.empty}>{empty}</Base.Empty>
                  <Base.List aria-label={shell.label} className={styles.list}>
                    {(item: string) => <Option key={item} {...(found.get(item) ?? { value: item, label: item })} />}
                  </Base.List>
                </Base.Popup>
              </Base.Positioner>
            </Base.Portal>
          </CSPProvider>
        </Base.Root>
      )}
    </FieldShell>
  );
}

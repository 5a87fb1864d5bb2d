import { useState } from 'react';
import { lazyComponent } from '../pwa/lazyComponent.tsx';
import { reloadForNewBuild } from '../pwa/newBuild.ts';
import { FieldShell } from './FieldShell.tsx';
import type { SearchSelectProps } from './SearchSelectList.tsx';
import { type Begun, SelectButton } from './SelectButton.tsx';

const SearchSelectList = lazyComponent(async () => (await import('./SearchSelectList.tsx')).SearchSelectList, reloadForNewBuild);

/**
 * Renders a field that opens a list of options with a search field. It looks like `Select`, and its
 * code also loads after the page has rendered.
 */
export function SearchSelect(props: SearchSelectProps) {
  const [begun, setBegun] = useState<Begun>(null);
  const { label, hint, error, shown } = props;
  return (
    <SearchSelectList
      {...props}
      begun={begun}
      fallback={
        <FieldShell label={label} hint={hint} error={error}>
          {(control) => (
            <SelectButton {...control} opens="dialog" wrong={error !== undefined} onBegun={setBegun}>
              {shown}
            </SelectButton>
          )}
        </FieldShell>
      }
    />
  );
}

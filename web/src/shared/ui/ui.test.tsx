import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { type ReactElement, useState } from 'react';
import { renderToString } from 'react-dom/server';
import { useForm } from 'react-hook-form';
import { afterEach, expect, it, vi } from 'vitest';
import { Alert } from './Alert.tsx';
import { Button, ButtonLink } from './Button.tsx';
import { Checkbox, Switch } from './Checkbox.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Dialog } from './Dialog.tsx';
import { Menu, MenuItem } from './Menu.tsx';
import { PasswordField } from './PasswordField.tsx';
import { Pieces } from './Pieces.tsx';
import { pageNumbers } from './pageNumbers.ts';
import { Select } from './Select.tsx';
import { TextField } from './TextField.tsx';
import { UiTextsProvider } from './UiTexts.tsx';
import en from './words/en.json';

afterEach(cleanup);

const worded = (element: ReactElement) => (
  <UiTextsProvider language="en" texts={en}>
    {element}
  </UiTextsProvider>
);
const show = (element: ReactElement) => render(worded(element));

it('ignores presses while a button is loading, and keeps its name and the focus', () => {
  const onClick = vi.fn();
  const { rerender } = show(<Button onClick={onClick}>Save</Button>);
  const button = screen.getByRole('button', { name: 'Save' });
  button.focus();
  fireEvent.click(button);
  rerender(
    worded(
      <Button loading onClick={onClick}>
        Save
      </Button>,
    ),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(onClick).toHaveBeenCalledTimes(1);
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute('aria-busy')).toBe('true');
});

it('renders a link if it has a target', () => {
  show(<ButtonLink href="/settings">Settings</ButtonLink>);
  expect(screen.getByRole('link', { name: 'Settings' })).toHaveProperty('pathname', '/settings');
});

it('links a field to its label and to its error', () => {
  show(<TextField label="E-mail" error="Enter an e-mail address" />);
  const input = screen.getByRole('textbox', { name: 'E-mail' });
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Enter an e-mail address');
});

function SettingsForm({ onSubmit }: { onSubmit: (values: object) => void }) {
  const form = useForm({ defaultValues: { email: '', remember: false, alerts: true } });
  return (
    <form onSubmit={form.handleSubmit(onSubmit)}>
      <TextField label="E-mail" {...form.register('email')} />
      <Checkbox label="Remember me" {...form.register('remember')} />
      <Switch label="Alerts" {...form.register('alerts')} />
      <Button type="submit">Send</Button>
    </form>
  );
}

it('registers fields and checkboxes with a form', async () => {
  const sent = vi.fn();
  show(<SettingsForm onSubmit={sent} />);
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'lin@example.com' } });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Remember me' }));
  fireEvent.click(screen.getByRole('switch', { name: 'Alerts' }));
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  await vi.waitFor(() => expect(sent).toHaveBeenCalled());
  expect(sent.mock.calls[0]?.[0]).toEqual({ email: 'lin@example.com', remember: true, alerts: false });
});

it('shows and hides a password', () => {
  show(<PasswordField label="Password" />);
  const input = screen.getByLabelText('Password') as HTMLInputElement;
  fireEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(input.type).toBe('text');
  fireEvent.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(input.type).toBe('password');
});

it('writes no style attributes into prerendered documents', () => {
  const html = renderToString(
    worded(
      <>
        <TextField label="E-mail" />
        <PasswordField label="Password" />
        <Checkbox label="Remember me" />
        <Button loading>Send</Button>
        <Alert tone="error">No</Alert>
      </>,
    ),
  );
  expect(html).toContain('Remember me');
  expect(html).not.toMatch(/style=|<style/);
});

it('chooses from a list that opens', async () => {
  const onChange = vi.fn();
  const options = [
    { value: 'toronto', label: 'Toronto' },
    { value: 'calgary', label: 'Calgary' },
  ];
  show(<Select label="City" options={options} value="toronto" onChange={onChange} />);
  const trigger = () => screen.getByRole('combobox', { name: 'City' });
  expect(trigger().textContent).toBe('Toronto');
  // Presses the field before the code of the list has loaded.
  trigger().focus();
  fireEvent.click(trigger());
  const calgary = await screen.findByRole('option', { name: 'Calgary' });
  fireEvent.mouseMove(calgary);
  fireEvent.click(calgary);
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledWith('calgary'));
});

function TaskPage({ onConfirm }: { onConfirm: () => void }) {
  const [open, setOpen] = useState(false);
  const dialog = { busy: false, error: null, fallback: 'error.copyFailed' as const, onConfirm, onClose: () => setOpen(false) };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Delete</Button>
      {open && (
        <ConfirmDialog {...dialog} title="Delete the task?" confirm="Delete it">
          This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  );
}

it('asks for confirmation before an important action, and runs it once', async () => {
  const confirmed = vi.fn();
  show(<TaskPage onConfirm={confirmed} />);
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete the task?' });
  expect(dialog.textContent).toContain('This cannot be undone.');
  fireEvent.click(screen.getByRole('button', { name: 'Delete it' }));
  expect(confirmed).toHaveBeenCalledTimes(1);
  const [cancel] = within(dialog).getAllByRole('button');
  await vi.waitFor(() => expect(document.activeElement).toBe(cancel));
  fireEvent.click(cancel as HTMLElement);
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

function TwoDialogs() {
  const [proof, setProof] = useState(false);
  return (
    <>
      <Dialog open title="Change the password" onClose={() => undefined}>
        <Button onClick={() => setProof(true)}>Change it</Button>
      </Dialog>
      <Dialog open={proof} title="Confirm that it is you" onClose={() => setProof(false)}>
        <Button onClick={() => setProof(false)}>Confirm</Button>
      </Dialog>
    </>
  );
}

// spec: 10.17.06
it('shows no dialog over a dialog, and returns to the first one with its focus', async () => {
  show(<TwoDialogs />);
  const first = await screen.findByRole('dialog', { name: 'Change the password' });
  const isShown = (dialog: HTMLElement) => !/covered/.test(dialog.parentElement?.className ?? '');
  expect(isShown(first)).toBe(true);
  const change = screen.getByRole('button', { name: 'Change it' });
  change.focus();
  fireEvent.click(change);
  const second = await screen.findByRole('dialog', { name: 'Confirm that it is you' });
  expect([isShown(first), isShown(second)]).toEqual([false, true]);
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  await vi.waitFor(() => expect(isShown(first)).toBe(true));
  await vi.waitFor(() => expect(document.activeElement).toBe(change));
});

it('opens a menu of actions', async () => {
  const onClick = vi.fn();
  show(
    <Menu trigger={<Button>More</Button>}>
      <MenuItem onClick={onClick}>Pause</MenuItem>
    </Menu>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'More' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Pause' }));
  expect(onClick).toHaveBeenCalledTimes(1);
});

it.each([
  [1, 3, '1 2 3'],
  [1, 9, '1 2 3 4 5 … 9'],
  [5, 9, '1 … 4 5 6 … 9'],
  [9, 9, '1 … 5 6 7 8 9'],
])('shows page numbers: at %i of %i shows %s', (page, pages, shown) => {
  expect(
    pageNumbers(page, pages)
      .map((number) => number ?? '…')
      .join(' '),
  ).toBe(shown);
});

it('puts a dot between short items, and none before the first or for missing items', () => {
  const { container } = render(<Pieces of={['a', false, 'b', null, '', 'c']} />);
  expect(container.textContent).toBe('a · b · c');
});

import { ThemeProvider } from '@mui/material/styles';
import { act, cleanup, render, screen } from '@testing-library/react';
import { toast } from 'sonner';
import { afterEach, expect, it, vi } from 'vitest';
import { theme } from '../../shared/legacy/theme/theme.ts';
import { Toasts } from './Toasts.tsx';

afterEach(() => {
  toast.dismiss();
  cleanup();
  vi.useRealTimers();
});

it('goes by itself after 6 s', async () => {
  vi.useFakeTimers();
  render(
    <ThemeProvider theme={theme}>
      <Toasts />
    </ThemeProvider>,
  );
  act(() => void toast('saved'));
  await act(() => vi.advanceTimersByTimeAsync(5_900));
  expect(screen.getByText('saved').closest('li')?.dataset.removed).toBe('false');
  await act(() => vi.advanceTimersByTimeAsync(600));
  expect(screen.queryByText('saved')).toBeNull();
});

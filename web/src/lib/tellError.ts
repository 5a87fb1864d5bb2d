/** Says in a toast that something went wrong; the toasts' code is read only then. */
export function tellError(text: string): void {
  void import('sonner').then(({ toast }) => toast.error(text));
}

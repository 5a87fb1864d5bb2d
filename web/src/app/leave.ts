/** Leaves the app for a document of the server's; never resolves, so that nothing of the page that is left is drawn any more. */
export function leave(path: string): Promise<never> {
  window.location.replace(path);
  return new Promise(() => undefined);
}

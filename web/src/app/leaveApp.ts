/**
 * Leaves the app for a document of the server. The promise never resolves, so that the old page
 * renders nothing more.
 */
export function leaveApp(path: string): Promise<never> {
  window.location.replace(path);
  return new Promise(() => undefined);
}

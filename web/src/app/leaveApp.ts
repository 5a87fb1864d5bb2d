/**
 * Leaves the app and opens a document of the server. The promise never resolves, so that the router
 * renders nothing more.
 */
export function leaveApp(path: string): Promise<never> {
  window.location.replace(path);
  return new Promise(() => undefined);
}

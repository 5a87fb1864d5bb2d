/** Scripts that documents start with (integration.ts). */
declare module 'virtual:first-scripts' {
  /** For all documents. */
  export const first: string;
  /** For the sign-in documents. */
  export const firstAuth: string;
  /** For the app's pages. */
  export const shell: string;
  /** For the app's pages that show appointments first. */
  export const firstData: string;
}

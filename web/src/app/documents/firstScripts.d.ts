/** The scripts that documents begin with (integration.ts). */
declare module 'virtual:first-scripts' {
  /** For all documents. */
  export const first: string;
  /** For those around signing in. */
  export const firstAuth: string;
  /** For the app's pages. */
  export const shell: string;
  /** For those of them that show appointments first. */
  export const firstData: string;
}

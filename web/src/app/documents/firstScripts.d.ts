/** Scripts that the build writes into documents (integration.ts). */
declare module 'virtual:first-scripts' {
  /** Script of all public documents. */
  export const first: string;
  /** Script of the sign-in documents. */
  export const firstAuth: string;
  /** Script of the app's documents. */
  export const shell: string;
  /** Script of the app's documents that show appointments in their skeleton. */
  export const firstData: string;
}

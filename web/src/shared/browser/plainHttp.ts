/** Names of this very computer, which no network lies before. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether what is typed here goes over a network unencrypted. */
export const isPlainHttp = ({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'> = window.location) =>
  protocol === 'http:' && !LOOPBACK.test(hostname);

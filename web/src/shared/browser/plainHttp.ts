/** Names of this computer itself, without a network between. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns whether typed values cross a network unencrypted. */
export const isPlainHttp = ({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'> = window.location) =>
  protocol === 'http:' && !LOOPBACK.test(hostname);

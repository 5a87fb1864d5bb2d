/** Host names of this computer. Requests to them cross no network. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns whether the page sends typed values over a network without encryption. */
export const isPlainHttp = ({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'> = window.location) =>
  protocol === 'http:' && !LOOPBACK.test(hostname);

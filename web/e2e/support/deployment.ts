import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const FILES = '/assets/';

/**
 * Proxy before the real server that simulates deployments. A new build has the same files under new
 * names, and the old names no longer exist.
 */
export class Deployment {
  private build = 1;
  private worker = '/worker.js';
  private reachable = true;
  private readonly asked: string[] = [];
  private readonly server = createServer((asked, answer) => this.answer(asked, answer));

  private constructor(private readonly behind: string) {}

  /** Starts a proxy before the server at `behind`. */
  static async before(behind: string): Promise<Deployment> {
    const deployment = new Deployment(behind);
    await new Promise<void>((resolve) => deployment.server.listen(0, '127.0.0.1', resolve));
    return deployment;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Simulates the deployment of a new build. */
  deploy(): void {
    this.build += 1;
  }

  /** Disables the service worker, like the setting SOONER_WORKER_OFF. */
  switchWorkerOff(): void {
    this.worker = '/worker-off.js';
  }

  /** Sets whether the server is reachable. If not, the proxy answers with an error. */
  setReachable(reachable: boolean): void {
    this.reachable = reachable;
  }

  /** Returns how often a path was requested. */
  timesAsked(path: string): number {
    return this.asked.filter((one) => one === path).length;
  }

  /** Returns the number of requested files of the build. */
  filesAsked(): number {
    return this.asked.filter((path) => path.startsWith('/assets')).length;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private get folder(): string {
    return this.build === 1 ? FILES : `/assets-${this.build}/`;
  }

  private answer(asked: IncomingMessage, answer: ServerResponse): void {
    if (!this.reachable) return void answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    const url = asked.url ?? '/';
    this.asked.push(url.split('?')[0] ?? url);
    if (/^\/assets/.test(url) && !url.startsWith(this.folder)) return void answer.writeHead(404).end('Not found');
    const path = (url === '/worker.js' ? this.worker : url).replace(this.folder, FILES);
    // Requests uncompressed responses, to replace names in them. Removes `if-none-match`, because a
    // file of another build must not be answered as unchanged.
    const { 'accept-encoding': _, 'if-none-match': __, ...headers } = asked.headers;
    // Uses a new connection per request, because the server may close a reused one.
    const options = { method: asked.method, headers, agent: false };
    const passed = request(new URL(path, this.behind), options, (came) => this.pass(url, came, answer));
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  }

  private pass(url: string, came: IncomingMessage, answer: ServerResponse): void {
    const { 'content-length': _, ...headers } = came.headers;
    answer.writeHead(came.statusCode ?? 502, headers);
    const type = `${headers['content-type']}`;
    if (!/html|javascript/.test(type)) return void came.pipe(answer);
    const parts: Buffer[] = [];
    came.on('data', (part: Buffer) => parts.push(part));
    came.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8');
      if (url === '/worker.js') return void answer.end(`${text}\n// build ${this.build}\n`);
      // Documents name files by absolute paths. Scripts name later chunks by relative paths, which
      // need no change.
      const named = text.replaceAll(`"${FILES}`, `"${this.folder}`);
      answer.end(type.includes('html') ? named : named.replaceAll(`"${FILES.slice(1)}`, `"${this.folder.slice(1)}`));
    });
  }
}

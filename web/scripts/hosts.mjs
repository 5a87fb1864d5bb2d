// Nothing of the built web app is fetched from elsewhere: every absolute address in it is one of these, each for a reason. The
// page's policy (server/site/security.rs) would forbid it anyway; this finds it before a visitor's console does.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const allowed = [
  // Names of formats, which nobody fetches.
  'http://www.w3.org/',
  'https://schema.org',
  // Stands for the server's own address (open_pages/documents.rs).
  'https://public-url.invalid',
  // In the words of an error: where to read about it.
  'https://react.dev/',
  'https://reactrouter.com/',
  'https://github.com/',
  'https://react.i18next.com/',
  'https://base-ui.com/',
  'http://fb.me/',
  'https://stripe.com/docs/',
  'https://docs.stripe.com/',
  // The card provider's library, which the card page alone may load.
  'https://js.stripe.com',
  // Bases for taking an address apart.
  'http://localhost',
];
const TEXT = /\.(?:js|css|html|svg|json|txt|webmanifest|vtt)$/;
const dist = fileURLToPath(new URL('../dist', import.meta.url));

const found = readdirSync(dist, { recursive: true })
  .filter((file) => TEXT.test(file))
  .flatMap((file) =>
    [...readFileSync(`${dist}/${file}`, 'utf8').matchAll(/(?:https?|wss?):\/\/[\w.-]*[^\s"'`<>\\)]{0,60}/g)]
      .filter(([address]) => !allowed.some((start) => address.startsWith(start)) && /\/\/[\w-]/.test(address))
      .map(([address]) => `${file}: ${address}`),
  );
for (const line of new Set(found)) console.error(line);
process.exit(found.length > 0 ? 1 : 0);

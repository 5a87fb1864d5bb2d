// Checks that the built web app loads nothing from elsewhere. Every absolute address in it is
// listed here with a reason. The page's policy (server/site/content_policy.rs) forbids it anyway, but
// this check finds it earlier.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const allowed = [
  // Names of formats, which are never requested.
  'http://www.w3.org/',
  'https://schema.org',
  // Placeholder of the server's own address (open_pages/documents.rs).
  'https://public-url.invalid',
  // In the text of an error: a link to its explanation.
  'https://react.dev/',
  'https://reactrouter.com/',
  'https://github.com/',
  'https://react.i18next.com/',
  'https://base-ui.com/',
  'http://fb.me/',
  'https://stripe.com/docs/',
  'https://docs.stripe.com/',
  // The card provider's library, which only the card page may load.
  'https://js.stripe.com',
  // Bases for parsing an address.
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

// Checks that the built web app loads nothing from other hosts. Every absolute address in it must
// be listed here, with a reason. The content security policy (crates/server/src/site/content_policy.rs)
// forbids others anyway, but this check finds them earlier.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const allowed = [
  // Namespaces and formats, which are never requested.
  'http://www.w3.org/',
  'https://schema.org',
  // Placeholder for the server's own address (open_pages/documents.rs).
  'https://public-url.invalid',
  // Links in error messages of libraries.
  'https://react.dev/',
  'https://reactrouter.com/',
  'https://github.com/',
  'https://react.i18next.com/',
  'https://base-ui.com/',
  'http://fb.me/',
  'https://simplewebauthn.dev/',
  'https://stripe.com/docs/',
  'https://docs.stripe.com/',
  // Library of the card provider, which only the card page may load.
  'https://js.stripe.com',
  // Base for parsing relative addresses.
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

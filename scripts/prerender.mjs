// Writes the pages that need no application: run after vite has built both ends of it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './node24.mjs';

const site = join(root, 'dist', 'web', 'site');
const { renderSite, addresses } = await import(join(root, 'dist', 'prerender', 'render.js'));

for (const { path, html } of await renderSite(readFileSync(join(site, 'document.html'), 'utf8'))) {
  mkdirSync(dirname(join(site, path)), { recursive: true });
  writeFileSync(join(site, path), html);
}
// What the server must know to send each page, and to answer any other address with 404.
writeFileSync(join(site, 'addresses.json'), JSON.stringify(addresses(), null, 2));

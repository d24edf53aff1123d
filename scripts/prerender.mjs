// Writes the prerendered pages; runs after vite has built the client and the prerender bundle.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './node24.mjs';

const site = join(root, 'dist', 'web', 'site');
const { renderSite, listPaths } = await import(join(root, 'dist', 'prerender', 'render.js'));

for (const { path, html } of await renderSite(readFileSync(join(site, 'document.html'), 'utf8'))) {
  mkdirSync(dirname(join(site, path)), { recursive: true });
  writeFileSync(join(site, path), html);
}
// Read by the server to send each page, and to answer any other path with 404.
writeFileSync(join(site, 'paths.json'), JSON.stringify(listPaths(), null, 2));

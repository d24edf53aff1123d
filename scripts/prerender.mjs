// Writes the prerendered pages and compresses the build; runs after vite has built the client and the prerender bundle.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { root } from './node24.mjs';
import { pageScripts, reportSizes, textFiles } from './page-scripts.mjs';
import { formatLicenses, listShippedPackages } from './shipped-packages.mjs';

const web = join(root, 'dist', 'web');
const site = join(web, 'site');
const { renderSite, renderShell, listPages, listSitePages, listDocSections, SITE_LANGUAGES } = await import(
  join(root, 'dist', 'prerender', 'render.js')
);

const packages = listShippedPackages();
const pages = [
  ...(await renderSite(readFileSync(join(site, 'document.html'), 'utf8'), packages)),
  ...renderShell(readFileSync(join(web, 'index.html'), 'utf8')),
];
for (const { path, html } of pages) {
  mkdirSync(dirname(join(site, path)), { recursive: true });
  writeFileSync(join(site, path), html);
}

const app = Object.fromEntries(
  Object.entries(listPages()).map(([path, modules]) => [path, pageScripts(modules)]),
);
const texts = Object.fromEntries(SITE_LANGUAGES.map((language) => [language, textFiles(language)]));
// Read by the server to send each page with its preloads, and to answer any other path with 404.
writeFileSync(join(site, 'paths.json'), JSON.stringify({ app, texts, site: listSitePages() }));
writeFileSync(join(site, 'doc-sections.json'), JSON.stringify(listDocSections()));
cpSync(join(root, 'docs', 'pictures'), join(web, 'pictures'), { recursive: true });
writeFileSync(join(web, 'licenses.txt'), formatLicenses(packages));

await compressFiles();
const tooLarge = reportSizes(app, { all: process.argv.includes('--sizes') });
if (tooLarge.length > 0) process.exitCode = 3;

/** Writes `.br` and `.gz` beside every text file that the server sends as it is. */
async function compressFiles() {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  const files = readdirSync(web, { recursive: true }).filter(
    (file) => /\.(?:js|css|svg|json|txt|webmanifest)$/.test(file) && !file.startsWith('site'),
  );
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(join(web, file));
      writeFileSync(join(web, `${file}.br`), await promisify(brotliCompress)(bytes, { params }));
      writeFileSync(join(web, `${file}.gz`), await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

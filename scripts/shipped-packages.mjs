// What the program consists of beside its own code: the packages that it installs, and those that are built into the web app.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './node24.mjs';

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/**
 * Packages of the lockfile that are installed with the program or bundled into the web app, sorted by name.
 *
 * @returns {{ name: string, version: string, license: string, path: string, integrity: string, optional: boolean }[]}
 */
export function listShippedPackages() {
  const { packages } = read('package-lock.json');
  const bundled = bundledPaths(packages);
  return Object.entries(packages)
    .filter(([path, entry]) => path !== '' && (!(entry.dev || entry.devOptional) || bundled.has(path)))
    .map(([path, entry]) => ({
      name: entry.name ?? path.replace(/^.*node_modules\//, ''),
      version: entry.version,
      license: entry.license ?? 'see its text',
      path,
      integrity: entry.integrity,
      optional: entry.optional === true,
    }))
    .sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version) || compare(a.path, b.path));
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Packages that modules of the web client import, with what those depend on. */
function bundledPaths(packages) {
  const { devDependencies } = read('package.json');
  const sources = readdirSync(join(root, 'src/web'), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => /\.(?:tsx?|css)$/.test(file) && !/\.test\.|testing|vite\.config|describe-chunks/.test(file),
    )
    .map((file) => readFileSync(join(root, 'src/web', file), 'utf8'))
    .join('\n');
  const imported = Object.keys(devDependencies).filter((name) =>
    new RegExp(`['"]${name}(?:/[^'"]*)?['"]`).test(sources),
  );
  const found = new Set();
  const pending = imported.map((name) => `node_modules/${name}`);
  while (pending.length > 0) {
    const path = pending.pop();
    if (found.has(path) || !packages[path]) continue;
    found.add(path);
    for (const name of Object.keys(packages[path].dependencies ?? {}))
      pending.push(resolve(packages, path, name));
  }
  return found;
}

/** Finds a dependency of a package as npm places it: in its own folder or in one above. */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path] || folder === '') return path;
  }
}

/** Texts of the licences of all shipped packages; equal texts once. */
export function formatLicenses(packages) {
  const byText = new Map();
  for (const { name, version, license, path } of packages) {
    const text = readLicense(path) ?? `License: ${license}. The package contains no text of it.`;
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`]);
  }
  return [...byText]
    .map(([text, names]) => `${names.join('\n')}\n\n${text.trim()}\n`)
    .join(`\n${'─'.repeat(80)}\n\n`);
}

/** The texts of a package; null where it has none or is made for another platform. */
function readLicense(path) {
  const folder = join(root, path);
  if (!existsSync(folder)) return null;
  const files = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(file))
    .sort();
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').replace(/\r\n/g, '\n'));
  return texts.length === 0 ? null : texts.join('\n');
}

// Plain JavaScript that Node 18 understands. Whether something has to be built again.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './node24.mjs';

/** The stamp of a build in `dist`: what it was built from, as a hash. */
export function openStamp(name, sources) {
  const path = join(root, 'dist', `${name}.stamp`);
  const hash = hashSources(sources);
  return {
    isCurrent: existsSync(path) && readFileSync(path, 'utf8') === hash,
    save() {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, hash);
    },
  };
}

/** By content, since a checkout sets the times of files to anything. */
function hashSources(sources) {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesUnder(source)) {
      const content = readFileSync(join(root, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!existsSync(join(root, path))) return [];
  if (/\.(?:json|mjs|ts)$/.test(path)) return [path];
  const entries = readdirSync(join(root, path), { withFileTypes: true });
  return entries
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(`${path}/${entry.name}`) : [`${path}/${entry.name}`],
    )
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort();
}

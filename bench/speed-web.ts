import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Row } from './speed-row.ts';

const BUILT = fileURLToPath(new URL('../dist/web/', import.meta.url));
const GOAL = 170_000;

/** The JavaScript of the application's document with all that it imports at once, packed as servers do: `npm run build` first. */
export function webRow(): Row {
  const page = readFileSync(`${BUILT}index.html`, 'utf8');
  const open = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, name]) => name!);
  const files = new Map<string, number>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (files.has(name)) continue;
    const script = readFileSync(BUILT + name);
    files.set(name, gzipSync(script, { level: 9 }).length);
    for (const [, other] of script.toString().matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      open.push(`assets/${other}`);
  }
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
  return {
    what: `first-load JavaScript, gz, ${files.size} files`,
    repository: 'web',
    ours: `${(bytes / 1000).toFixed(0)} KB`,
    rival: 'GitNexus 681 KB',
    ratio: bytes / 681_000,
    goal: '≤ 170 KB',
    met: bytes <= GOAL,
  };
}

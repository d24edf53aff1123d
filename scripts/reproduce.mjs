// Plain JavaScript that Node 18 understands. Makes the package of HEAD twice, in two folders, and compares the bytes.
//   npm run reproduce
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './node24.mjs';

// One revision for both, whatever is committed meanwhile.
const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const folder = mkdtempSync(join(tmpdir(), 'hindsight-reproduce-'));
try {
  const [first, second] = ['first', 'a-second-folder'].map((name) => build(join(folder, name)));
  const paths = [...new Set([...first.keys(), ...second.keys()])].sort();
  const different = paths.filter((path) => first.get(path) !== second.get(path));
  for (const path of different) console.log(`different: ${path}`);
  const [tarball] = paths.filter((path) => path.endsWith('.tgz'));
  console.log(
    `${paths.length} files, ${different.length} of them different; ${tarball}: ${first.get(tarball)}`,
  );
  process.exitCode = different.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Builds a checkout of the revision; returns the SHA-256 of the package and of each file of the web app. */
function build(checkout) {
  mkdirSync(checkout);
  const archive = execFileSync('git', ['archive', revision], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['--extract', '--directory', checkout], { input: archive });
  copyModules(join(checkout, 'node_modules'));
  execFileSync('npm', ['pack', '--silent'], { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
  const web = readdirSync(join(checkout, 'dist', 'web'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(checkout.length + 1));
  const packages = readdirSync(checkout).filter((name) => name.endsWith('.tgz'));
  return new Map([...web, ...packages].map((path) => [path, hash(readFileSync(join(checkout, path)))]));
}

/** By hard links where the file system has them. A symbolic link would do no good: the order of modules follows their real paths. */
function copyModules(target) {
  const copy = (options) =>
    execFileSync('cp', [options, join(root, 'node_modules'), target], { stdio: 'ignore' });
  try {
    copy('-al');
  } catch {
    rmSync(target, { recursive: true, force: true });
    copy('-a');
  }
}

function hash(content) {
  return createHash('sha256').update(content).digest('hex');
}

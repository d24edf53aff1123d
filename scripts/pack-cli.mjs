// Run by Node 24. Writes the command line as an npm package that needs no other: dist/web/cli/hindsight.tgz.
//   node scripts/pack-cli.mjs [FILE]
// Types are stripped and nothing is bundled, since the parts start each other as processes and read files beside them.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join, posix, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './node24.mjs';
import { IMPORT, packageName, resolveModule } from './strip-types.mjs';

/** Modules that nothing imports: the command itself, and programs that are started by their path. */
const ENTRIES = [
  'src/cli/main.ts',
  'src/cli/node-20.ts',
  'src/git/spawner-process.ts',
  'src/memory/chunk/parser-program.ts',
  'src/memory/index/index-program.ts',
];
/** Files that modules read. */
const FILES = [/^src\/assistant\/tools\/[\w-]+\.md$/, /^src\/memory\/chunk\/queries\/[\w-]+\.scm$/];
/** Folders of packages that are left out: browser builds, sources, types. */
const SKIPPED =
  /\.(?:map|d\.[cm]?ts|[cm]?ts|md|markdown|flow)$|^(?:src|debug|test|bench|locales)\/|\/(?:src|test)\//;
/** Packages of grammars, and the grammars that are used. */
const GRAMMARS = {
  '@vscode/tree-sitter-wasm': (file) => /^wasm\/tree-sitter-[\w-]+\.wasm$/.test(file),
  '@repomix/tree-sitter-wasms': (file) => /^out\/tree-sitter-(?:c|dart|solidity)\.wasm$/.test(file),
  'web-tree-sitter': (file) => /^web-tree-sitter\.(?:js|wasm)$/.test(file),
};

/** Names that Node 20 lacks must not be linked: `src/cli/node-20.ts` adds them. */
const ZLIB_IMPORT = /import \{([^}]+)\} from 'node:zlib';/;

const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const files = new Map();
const packages = new Set();
collectModules();
for (const name of packages) collectPackage(name);
files.set('package.json', manifest());
const archive = gzipSync(tar(files), { level: 9 });
const output = process.argv[2] ?? join(root, 'dist', 'web', 'cli', 'hindsight.tgz');
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, archive);
const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
const unpacked = [...files.values()].reduce((sum, content) => sum + content.length, 0);
console.log(`cli/hindsight.tgz: ${megabytes(archive.length)}, ${files.size} files of ${megabytes(unpacked)}`);

function collectModules() {
  const pending = [...ENTRIES];
  const seen = new Set();
  while (pending.length > 0) {
    const path = pending.pop();
    if (seen.has(path)) continue;
    seen.add(path);
    const source = readFileSync(join(root, path), 'utf8');
    if (path.endsWith('.json')) {
      // Node 20 warns about every import of JSON.
      files.set(`${path}.js`, Buffer.from(`export default ${source.trim()};\n`));
      continue;
    }
    const code = stripTypeScriptTypes(source).replace(IMPORT, (_whole, before, quote, name) => {
      const target = resolveModule(path, name);
      if (target !== null) pending.push(target);
      else if (packageName(name) in own.dependencies) packages.add(packageName(name));
      return `${before}${quote}${target === null ? name : toJs(name)}${quote}`;
    });
    const linked = code.replace(ZLIB_IMPORT, "import zlib from 'node:zlib';\nconst {$1} = zlib;");
    files.set(toJs(path), Buffer.from(ENTRIES.includes(path) ? withNode20(path, linked) : linked));
    for (const file of readdirSync(join(root, dirname(path)))) addAdjacent(dirname(path), file);
    if (path === 'src/memory/chunk/grammar.ts') {
      for (const file of readdirSync(join(root, 'src/memory/chunk/queries')))
        addAdjacent('src/memory/chunk/queries', file);
      for (const name of Object.keys(GRAMMARS)) packages.add(name);
    }
  }
}

/** Puts the additions for Node 20 before all other imports, behind a line that names the interpreter. */
function withNode20(path, code) {
  const additions = posix.relative(dirname(path), 'src/cli/node-20.js');
  const [, first = '', rest = ''] = /^(#!.*\n)?([\s\S]*)$/.exec(code);
  return `${first}import '${additions.startsWith('.') ? additions : `./${additions}`}';\n${rest}`;
}

function addAdjacent(folder, file) {
  const path = posix.join(folder, file);
  if (FILES.some((pattern) => pattern.test(path))) files.set(path, readFileSync(join(root, path)));
}

function toJs(path) {
  return path.endsWith('.json') ? `${path}.js` : path.replace(/\.ts$/, '.js');
}

/** Adds a package and those that it depends on, from where Node would load them. */
function collectPackage(name, from = root) {
  const folder = findPackage(name, from);
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const isUsed = GRAMMARS[name] ?? ((file) => !SKIPPED.test(file));
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!statSync(join(folder, file)).isFile() || file.startsWith('node_modules/')) continue;
    if (file === 'package.json' || /^licen[cs]e/i.test(file) || isUsed(file))
      files.set(relative(root, join(folder, file)), readFileSync(join(folder, file)));
  }
  for (const dependency of Object.keys(dependencies)) {
    if (GRAMMARS[name] || packages.has(dependency)) continue;
    packages.add(dependency);
    collectPackage(dependency, folder);
  }
}

function findPackage(name, from) {
  const paths = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  const found = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')));
  if (!found) throw new Error(`The package ${name} is not installed.`);
  return found;
}

function manifest() {
  const { name, version, description, license } = own;
  const bundled = [...packages].sort();
  const dependencies = Object.fromEntries(bundled.map((one) => [one, '*']));
  return Buffer.from(
    `${JSON.stringify(
      {
        ...{ name, version, description, license, type: 'module', engines: { node: '>=20' } },
        bin: { hindsight: 'src/cli/main.js' },
        imports: { '#*': './src/*' },
        dependencies,
        bundleDependencies: bundled,
      },
      null,
      2,
    )}\n`,
  );
}

/** A tar archive with the same bytes for the same files. */
function tar(entries) {
  const blocks = [];
  for (const [path, content] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    blocks.push(
      header(`package/${path}`, content.length),
      content,
      Buffer.alloc((512 - (content.length % 512)) % 512),
    );
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** A header of ustar; long paths are split between its two fields. */
function header(path, size) {
  const block = Buffer.alloc(512);
  const cut = path.length <= 100 ? 0 : path.indexOf('/', path.length - 101);
  block.write(cut === 0 ? path : path.slice(cut + 1), 0);
  if (cut > 0) block.write(path.slice(0, cut), 345);
  block.write(path.endsWith('cli/main.js') ? '0000755\0' : '0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  // npm gives every file of a package this time.
  block.write('03560116604\0', 136);
  block.write('        0', 148);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

// Run by Node 24. Writes the server and the command line as JavaScript into `lib`, for the package that `npm pack` makes: Node
// refuses to strip types below node_modules. Types become blanks, so that lines and columns of stack traces stay.
//   node scripts/compile.mjs [--list]
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { root } from './node24.mjs';
import { IMPORT, packageName, resolveModule } from './strip-types.mjs';

/** The web client, tests, and the program that wrote the sample repository. */
const LEFT_OUT =
  /^src\/(?:web\/|server\/projects\/sample\/.*\.ts$)|\.test\.ts$|\/testing(?:-[\w-]+)?\.(?:ts|json)$|\.d\.ts$/;
/** A picture of the web client that the API documentation shows. */
const EXTRA = ['src/web/public/mark.svg'];

/** Files of `lib` with their contents, sorted. Throws where a module imports what is neither a file nor a dependency. */
function compileLibrary() {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const found = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(entry.parentPath.slice(root.length + 1), entry.name))
    .filter((path) => !LEFT_OUT.test(path))
    .concat(EXTRA)
    .sort();
  const known = new Set(found);
  return found.map((path) => {
    const content = readFileSync(join(root, path));
    const compiled = path.endsWith('.ts') ? compile(path, content.toString()) : content;
    return { path: path.replace(/^src\//, 'lib/').replace(/\.ts$/, '.js'), content: compiled };
  });

  function compile(path, source) {
    return stripTypeScriptTypes(source).replace(IMPORT, (whole, before, quote, name, json = '') => {
      // A string elsewhere in an exported expression.
      if (!/\b(?:from|import|import\()\s*$/.test(before) || !/^[\w#.@][\w@./:-]*$/.test(name)) return whole;
      const target = resolveModule(path, name);
      const exists =
        target === null
          ? /^(?:node|data):/.test(name) || packageName(name) in dependencies
          : known.has(target) || (!target.startsWith('src/') && existsSync(join(root, target)));
      if (!exists) throw new Error(`${path} imports ${name}, which is not in the package.`);
      return `${before}${quote}${target === null ? name : relativeName(path, target)}${quote}${json}`;
    });
  }
}

function relativeName(from, target) {
  const path = posix.relative(posix.dirname(from), target).replace(/\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

const files = compileLibrary();
if (process.argv.includes('--list')) console.log(files.map(({ path }) => path).join('\n'));
else {
  rmSync(join(root, 'lib'), { recursive: true, force: true });
  for (const { path, content } of files) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

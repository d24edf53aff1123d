// Run by Node 24. Writes the modules of the server and of its threads into a few files, which load faster, with source
// maps. Child processes and the files that modules read stay where they are: each module keeps its own URL.
//   node scripts/bundle-server.mjs dist/bundle src    for the checkout
//   node scripts/bundle-server.mjs lib/bundle lib     for the package, whose modules are in `lib`
import { rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './node24.mjs';

/** Loaded as they are: packages with threads, files or instances of their own, and those that few starts need. The rest is bundled. */
const EXTERNAL_PACKAGES = new RegExp(
  [
    '^(?:node:|(?:pino|pg|pg-native|piscina|web-tree-sitter|nodemailer|web-push|@fastify/(?:static|swagger-ui))(?:/|$)',
    '|@ai-sdk/|@opentelemetry/(?!api))',
  ].join(''),
);

const HTTP = 'node:http';
/** Rolldown takes a name that begins with NUL for that of a module without a file. */
const HTTP_MODULE = `\0${HTTP}`;

/** The server, and the programs of threads. All files of the bundle are in one folder. */
const ENTRIES = ['main', 'assistant/worker', 'assistant/background-worker'];
/** Starts the threads, which it looks for beside itself. */
const THREAD_POOL = 'assistant/pool';

const [folder, modules] = process.argv.slice(2);
const output = join(root, folder);
const sources = join(root, 'src');
rmSync(output, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries(ENTRIES.map((name) => [basename(name), join(sources, `${name}.ts`)])),
  platform: 'node',
  external: (name) => name !== HTTP && EXTERNAL_PACKAGES.test(name),
  plugins: [
    { name: 'http', resolveId: (name) => (name === HTTP ? HTTP_MODULE : null), load: loadHttp },
    { name: 'module-urls', transform: keepUrl },
  ],
  onLog: (_level, log) => {
    throw new Error(log.message);
  },
});
await bundle.write({
  dir: output,
  format: 'esm',
  sourcemap: true,
  // The positions are enough for stack traces.
  sourcemapExcludeSources: true,
  // V8 keeps such a text with one byte for each character, not two.
  charset: 'ascii',
  comments: false,
  chunkFileNames: '[name].js',
});
await bundle.close();

/**
 * Exports of `node:http` without those that are getters. A static import reads every export, and `WebSocket` loads undici: 60 ms of
 * a start.
 */
function loadHttp(id) {
  if (id !== HTTP_MODULE) return null;
  const exported = Object.getOwnPropertyDescriptors(process.getBuiltinModule(HTTP));
  const names = Object.keys(exported).filter((name) => 'value' in exported[name]);
  return `const http = process.getBuiltinModule('${HTTP}');
    export default http;
    export const { ${names.join(', ')} } = http;`;
}

/** Replaces the URL of a module, on one line so that its source map stays right. */
function keepUrl(code, path) {
  if (!path.startsWith(sources) || !code.includes('import.meta.url')) return null;
  const name = relative(sources, path).replace(/\.ts$/, '');
  const file =
    name === THREAD_POOL
      ? join(output, `${basename(name)}.js`)
      : join(root, modules, `${name}.${modules === 'lib' ? 'js' : 'ts'}`);
  const url = `new URL(${JSON.stringify(relative(output, file))}, import.meta.url).href`;
  return { code: code.replaceAll('import.meta.url', url), map: null };
}

/** Globals of Node.js and of test runners, whose types are packages. */
const GLOBAL_VALUES =
  'process global require module exports __dirname __filename setImmediate clearImmediate describe it test expect suite before after beforeEach afterEach beforeAll afterAll expectTypeOf assertType vi jest mocha jasmine cy Cypress Bun Deno chrome browser $ jQuery';

/** Globals that are values and types. */
const GLOBAL_CLASSES = ['Buffer'];

/** Types alone. */
const GLOBAL_TYPES = ['BufferEncoding', 'NodeRequire', 'NodeModule', 'GlobalFetch'];

/** Types of the namespaces that those packages declare. */
const NAMESPACES: Record<string, string[]> = {
  NodeJS: [
    'ArrayBufferView CallSite CpuUsage Dict Dirname ErrnoException Global Immediate MemoryUsage Module Platform',
    'Process ProcessEnv ProcessVersions ReadStream ReadWriteStream ReadableStream Require RequireResolve Signals',
    'Timeout Timer TypedArray UncaughtExceptionListener WritableStream WriteStream',
  ].flatMap((line) => line.split(' ')),
  JSX: ['Element', 'ElementClass', 'ElementType', 'LibraryManagedAttributes<C, P>'],
};

/** Name of the file with these declarations. */
export const AMBIENT_FILE = '/ambient/packages.d.ts';

/** Declares the modules as what they are without their packages: of any type. */
export function ambientTypes(modules: readonly string[]): string {
  const namespaces = Object.entries(NAMESPACES).map(([name, types]) => {
    const members = types.map((type) => `type ${type} = any;`);
    if (name === 'JSX') members.push('interface IntrinsicElements { [name: string]: any }');
    return `declare namespace ${name} { ${members.join(' ')} }`;
  });
  return [
    ...GLOBAL_VALUES.split(' ').map((name) => `declare var ${name}: any;`),
    ...GLOBAL_CLASSES.map((name) => `declare var ${name}: any; type ${name}<T = any> = any;`),
    ...GLOBAL_TYPES.map((name) => `type ${name} = any;`),
    ...namespaces,
    ...modules.map((name) => `declare module ${JSON.stringify(name)};`),
  ].join('\n');
}

/** Packages whose globals are declared here. */
const KNOWN_GLOBAL_TYPES =
  /^(?:node|jest|vitest(?:\/.*)?|mocha|jasmine|@types\/(?:node|jest|mocha|jasmine))$/;

/** True for a package whose global types are not known. */
export function hasUnknownGlobals(name: string): boolean {
  return !KNOWN_GLOBAL_TYPES.test(name);
}

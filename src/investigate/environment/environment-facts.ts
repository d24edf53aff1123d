import type { EnvironmentFact } from '#contract/debug.ts';
import { parsePrintedPath } from '../locate/printed-path.ts';
import type { Trace } from '../trace/trace.ts';

/** A fault of the machine or its set-up that the error names. */
export interface EnvironmentFault {
  fact: EnvironmentFact['fact'];
  /** The words of the error. */
  found: string;
}

/** Texts of the operating system and of runtimes, most specific first. */
const FAULTS: [EnvironmentFault['fact'], RegExp][] = [
  [
    'port',
    /\b(?:EADDRINUSE|AddrInUse)\b.{0,80}|address already in use.{0,60}|Only one usage of each socket address/i,
  ],
  [
    'disk',
    /\bENOSPC\b.{0,80}|\bEDQUOT\b.{0,60}|No space left on device|Disk quota exceeded|disk is full|Input\/output error/i,
  ],
  [
    'memory',
    /\bENOMEM\b|(?:can(?:not|'t)|could not|unable to|failed to) allocate (?:\w+ )?memory|\bMemoryError\b|OutOfMemoryError\b.{0,60}|JavaScript heap out of memory|std::bad_alloc|\bout of memory\b|Allowed memory size of \d+ bytes exhausted|memory allocation of \d+ bytes failed|GC overhead limit exceeded|unable to create (?:new )?native thread|can't start new thread|Cannot fork/i,
  ],
  [
    'permission',
    /\b(?:EACCES|EPERM)\b.{0,120}|[^\n]{0,80}\bPermission denied\b.{0,60}|\bPermissionError\b.{0,80}|[^\n]{0,80}\bnot executable\b|Access (?:is|to the path .{1,80}) denied|AccessDeniedException.{0,80}|Operation not permitted.{0,60}|PermissionDenied\b.{0,60}|(?:file|director(?:y|ies)|folder|path)\b[^\n]{0,100}\b(?:not|un)[- ]?(?:writ|read)able\b/i,
  ],
  [
    'runtime',
    /UnsupportedClassVersionError.{0,160}|has been compiled by a more recent version.{0,80}|ERR_REQUIRE_ESM\b|Unsupported engine.{0,80}|EBADENGINE.{0,80}|requires a different Python.{0,80}|go\.mod requires go .{0,60}|(?:package|module) .{1,80} requires (?:rustc|go) .{0,40}|Your (?:Ruby|PHP) version .{0,80}|requires (?:at least )?(?:Node(?:\.js)?|Python|Ruby|PHP|Go|Java|rustc|JDK)\b.{0,12}\d[\d.+]*|compiled against a different Node\.js version|feature `?edition\d{4}`? is required|dependencies require a PHP version .{0,40}|cannot be built because it requires rustc .{0,20}|digital envelope routines::unsupported|Python \d[\d.]* or (?:later|newer|higher) is required/i,
  ],
  [
    'platform',
    /Exec format error|Inappropriate ioctl for device|cannot open display.{0,40}|wrong ELF class.{0,40}|cannot execute binary file|Bad CPU type|EBADPLATFORM.{0,60}|HeadlessException.{0,60}|stdin is not a (?:tty|terminal)|(?:Text file|Device or resource) busy|Function not implemented|Address family not supported.{0,40}|unsupported platform.{0,60}/i,
  ],
  [
    'module',
    /No module named ['"]?[\w.-]+|Cannot find (?:module|package) ['"][^'"./][^'"]*['"]|(?:ClassNotFoundException|NoClassDefFoundError): \S+|cannot load such file -- [^\s./]\S*|no required module provides package \S+|cannot find package "[^"]+"|error while loading shared libraries: .{1,80}|DLL load failed.{0,80}|Library not loaded: .{1,80}|[^\n]{0,80}: command not found|[^\n]{0,80}\b(?:exit |exited |failed ).{0,30}\b(?:status|code)[ (:]{1,2}127\b.{0,80}|executable file not found in .{1,40}|\bsh: \d+: \S+: not found|linker `\S+` not found|cannot open shared object file.{0,40}|symbol lookup error: .{1,80}|cannot find -l\w+|fatal error: \S+\.h(?:pp)?: No such file or directory|incompatible library version.{0,60}|Gem::MissingSpecError.{0,80}|Bundler::GemNotFound.{0,80}|ZoneInfoNotFoundError.{0,80}|Unsatisf\w*LinkError.{0,80}|ServiceConfigurationError.{0,80}|[^\n]{0,60}\b(?:library|extension|driver|executable|binary|compiler|interpreter)\b.{0,60}\b(?:not (?:found|installed|available|loaded|enabled)|missing|is required|must be installed)\b.{0,40}|package \S+ is not in (?:GOROOT|std)|could not find driver|Call to undefined function (?:mb|curl|ctype|iconv|json|gd|openssl|simplexml|posix|pcntl|intl)_\w+|(?:NoSuchMethodError|NoSuchFieldError|AbstractMethodError|IncompatibleClassChangeError|LinkageError): .{1,100}|Gem::(?:ConflictError|LoadError).{0,80}|ERR_DLOPEN_FAILED|version `?GLIBC\w*_[\d.]+'? not found|undefined symbol: \w+|Could not find gem .{1,60}|Class "[\w\\]+" not found/i,
  ],
  // A guard of the project asks for an optional dependency.
  [
    'module',
    /\b(?:ImportError|ModuleNotFoundError|LoadError): .{0,120}\b(?:requires?|install(?:ed)?|missing)\b.{0,60}/,
  ],
  [
    'module',
    /\b(?:requires?|needs?|install|enable)\b[^\n]{0,60}\b(?:shared library|(?:native|PHP|C) extension|ini (?:setting|directive|option)|php\.ini|executable|interpreter|compiler)\b.{0,60}/i,
  ],
  [
    'encoding',
    /configured to use ASCII|'(?:ascii|charmap|latin-1|cp\d+)' codec can't .{0,80}|unsupported locale setting|invalid byte sequence in US-ASCII|LC_ALL: cannot change locale|locale\.Error.{0,60}|setlocale: .{0,60}/i,
  ],
  [
    'network',
    /\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EADDRNOTAVAIL|ECONNRESET|ECONNABORTED|EPIPE)\b.{0,80}|(?:ConnectionRefused|ConnectionReset|AddrNotAvailable)\b.{0,60}|UnknownHostException.{0,60}|PKIX path building failed|Connection (?:timed out|reset by peer)|Broken pipe|i\/o timeout|Connection refused|Name or service not known|Temporary failure in name resolution|No route to host|Network is unreachable|no such host|getaddrinfo failed|nodename nor servname|Could not resolve host.{0,60}|Cannot assign requested address|unable to get local issuer certificate|CERT(?:IFICATE)?_(?:HAS_EXPIRED|VERIFY_FAILED)|certificate verify failed|self[- ]signed certificate/i,
  ],
  [
    'file',
    /\bENOENT\b.{0,120}|\bFileNotFoundError\b.{0,100}|No such file or directory.{0,100}|NoSuchFileException.{0,80}|FileNotFoundException.{0,80}|\b(?:EMFILE|ENFILE)\b.{0,60}|Too many open files|\bEROFS\b.{0,60}|Read-only file system/i,
  ],
];
/** A dependency of another version: `cannot import name 'soft_unicode' from 'markupsafe' (/venv/…)`. */
const OTHER_VERSION =
  /cannot import name '\w+' from '([\w.]+)'.{0,120}|The requested module '([^'./][^']*)' (?:does not provide an export named.{0,60}|is a CommonJS module.{0,60})/;
/** A conversion on the failing line: the program chose the codec, not the locale. */
const CHOSEN_CODEC = /\.(?:de|en)code\(/;
/** A class of an installed package that does not fit the interface of another one. */
const INCOMPATIBLE = /^Declaration of (\w+)[\w\\]*::.{1,300} must be compatible with (\w+)[\w\\]*::\w+/;
const MAX_FOUND_LENGTH = 160;
/** Lines of a text without frames that are read as the error. */
const MAX_PLAIN_LINES = 12;

/**
 * Finds the fault of the environment that an error names; null when it names none. `isOwn` tells the modules of the project,
 * whose missing names are no fault of the environment.
 */
export function findEnvironmentFault(
  trace: Trace,
  isOwn: (module: string) => boolean = () => false,
): EnvironmentFault | null {
  const text = errorLines(trace);
  const other = OTHER_VERSION.exec(text);
  if (other && !isOwn(other[1] ?? other[2]!))
    return { fact: 'module', found: other[0].trim().slice(0, MAX_FOUND_LENGTH) };
  const incompatible = INCOMPATIBLE.exec(trace.message);
  const failing = parsePrintedPath(trace.frames[0]?.path ?? '');
  if (incompatible && incompatible[1] !== incompatible[2] && failing.package !== null)
    return { fact: 'module', found: incompatible[0].slice(0, MAX_FOUND_LENGTH) };
  for (const [fact, pattern] of FAULTS) {
    if (fact === 'encoding' && CHOSEN_CODEC.test(trace.frames[0]?.text ?? '')) continue;
    const found = pattern.exec(text)?.[0].trim();
    if (found) return { fact, found: found.slice(0, MAX_FOUND_LENGTH) };
  }
  return null;
}

/** Type, message and code of the errors; of a text without a trace, its first lines. */
function errorLines({ errorType, message, code, related, frames, lines }: Trace): string {
  const errors = [{ type: errorType, message, code }, ...related].map((error) =>
    [error.type, error.message, error.code].filter(Boolean).join(': '),
  );
  const plain = frames.length === 0 && lines.length <= MAX_PLAIN_LINES ? lines : [];
  return [...errors, ...plain].join('\n');
}

/** Runtimes whose versions are compared. */
export type RuntimeName = 'node' | 'python' | 'ruby' | 'php' | 'go' | 'java' | 'rust';

/** A runtime with its version, as the text states it. */
export interface RuntimeVersion {
  name: RuntimeName;
  version: string;
}

const VERSIONS: [RuntimeName, RegExp][] = [
  [
    'node',
    /\bNode\.?js:? v?(\d+(?:\.\d+){0,2})|"?node"?\s*[:=]\s*['"]?v(\d+(?:\.\d+){0,2})|\bnode(?:\.js)? (?:version )?v?(\d+(?:\.\d+){1,2})/i,
  ],
  ['python', /\bpython ?(\d\.\d+(?:\.\d+)?)|\/lib\/python(\d\.\d+)\/|\/Python(\d)(\d{1,2})\\/i],
  ['ruby', /\bruby[ -](\d+\.\d+(?:\.\d+)?)|\/lib\/ruby\/(?:gems\/)?(\d+\.\d+)(?:\.\d+)?\//i],
  ['php', /\bPHP[ /](\d+\.\d+(?:\.\d+)?)/],
  ['go', /\bgo(?:lang)?[ /-]?(1\.\d+(?:\.\d+)?)\b/i],
  ['java', /\b(?:java|jdk|openjdk)[ -](?:version )?"?(\d+(?:\.\d+){0,2})/i],
  ['rust', /\brustc (\d+\.\d+(?:\.\d+)?)/],
];

/** Runtime versions that the text states, in banners (`Node.js v20.20.2`) and in paths (`lib/python3.6/`). */
export function findRuntimeVersions(text: string): RuntimeVersion[] {
  return VERSIONS.flatMap(([name, pattern]) => {
    const version = pattern
      .exec(text)
      ?.slice(1)
      .filter((part) => part !== undefined)
      .join('.');
    return version ? [{ name, version }] : [];
  });
}

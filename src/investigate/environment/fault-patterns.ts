import type { EnvironmentFact } from '#contract/debug.ts';
import { anyOf } from '../trace/any-of.ts';
import { REMOVED_FEATURE } from './removed-features.ts';

type Fact = EnvironmentFact['fact'];

const PORT = anyOf(
  'im',
  /\b(?:EADDRINUSE|AddrInUse)\b.{0,80}/,
  /address already in use.{0,60}/,
  /Only one usage of each socket address/,
  /\bport \d{2,5} is (?:already )?(?:in use|allocated|taken)/,
);

/** Watchers of files are a limit of the machine too, although node reports them as a full disk. */
const WATCHERS = anyOf('i', /(?:file watchers|inotify (?:instance|watch(?:es)?)).{0,20}(?:limit )?reached/);

const DISK = anyOf(
  'im',
  /\b(?:ENOSPC|EDQUOT)\b.{0,80}/,
  /No space left on device/,
  /Disk quota exceeded/,
  /disk is full/,
  /not enough (?:free )?space on (?:the )?(?:disk|device)/,
  /Input\/output error/,
);

const MEMORY = anyOf(
  'im',
  /\bENOMEM\b/,
  /(?:can(?:not|'t)|could not|unable to|failed to) allocate (?:\w+ )?(?:memory|[\d.]+ ?[KMGT]i?B\b)/,
  /\bMemoryError\b/,
  /\bOutOfMemory(?:Error|Exception)\b.{0,60}/,
  /JavaScript heap out of memory/,
  /std::bad_alloc/,
  /\bout of memory\b/,
  /Allowed memory size of \d+ bytes exhausted/,
  /memory allocation of \d+ bytes failed/,
  /GC overhead limit exceeded/,
  /unable to create (?:new )?native thread/,
  /can't start new thread/,
  /Cannot fork/,
  /\bOOM-?Killed\b/,
  /^Killed(?:: 9)?$/m,
  /\bexit(?:ed)?(?: with)?(?: code| status)?[ :(]{1,2}137\b/,
);

const PERMISSION = anyOf(
  'im',
  /\b(?:EACCES|EPERM)\b.{0,120}/,
  /[^\n]{0,80}\bPermission denied\b.{0,60}/,
  /\bPermissionError\b.{0,80}/,
  /[^\n]{0,80}\bnot executable\b/,
  /Access (?:is|to the path .{1,80}) denied/,
  /(?:AccessDenied|UnauthorizedAccess)Exception.{0,80}/,
  /Operation not permitted.{0,60}/,
  /PermissionDenied\b.{0,60}/,
  /(?:file|director(?:y|ies)|folder|path)\b[^\n]{0,100}\b(?:not|un)[- ]?(?:writ|read)able\b/,
  /(?:could not|cannot|can't|unable to|failed to) (?:create|write(?: to| in)?|open) (?:the )?(?:[\w-]+ ){0,2}(?:directory|folder|log file|cache|lock file)\b(?!.{0,160}already exists).{0,80}/,
  /could not be opened in append mode.{0,60}/,
  /Keine Berechtigung|Zugriff verweigert|Permission non accordée|Accès refusé|Permiso denegado|Acceso denegado/,
);

const RUNTIME = anyOf(
  'im',
  /UnsupportedClassVersionError.{0,160}/,
  /has been compiled by a more recent version.{0,80}/,
  /invalid (?:source|target) release: .{1,20}/,
  /ERR_REQUIRE_ESM\b/,
  /Unsupported engine.{0,80}/,
  /EBADENGINE.{0,80}/,
  /engine "[\w.-]+" is incompatible.{0,100}/,
  /not (?:yet )?support(?:ed by)? your current environment.{0,80}/,
  /requires a different Python.{0,80}/,
  /go\.mod requires go .{0,60}/,
  /(?:module|package|file) requires (?:newer )?go ?(?:version )?(?:>= ?)?1\.\d.{0,40}/,
  /invalid go version '.{1,60}/,
  /(?:package|module) .{1,80} requires (?:rustc|go) .{0,40}/,
  /Your (?:Ruby|PHP) version .{0,80}/,
  /requires (?:at least )?(?:Node(?:\.js)?|Python|Ruby|PHP|Go|Java|rustc|JDK)\b.{0,12}\d[\d.+]*/,
  /(?:Node(?:\.js)?|Python|Ruby|PHP|Java|JDK) (?:version )?(?:>= ?)?\d[\d.]* (?:or (?:later|newer|higher|above|greater) )?(?:is|are) (?:required|needed)/,
  /(?:only supports|not support(?:ed)?(?: on| by| with)?|dropped support for) (?:Node(?:\.js)?|Python|Ruby|PHP|Java|JDK) (?:versions? )?[<>=]* ?\d[\d.]*/,
  /(?:requires|needs) php [\^~<>=|\d][^\n]{0,60}(?:does not satisfy|your php version).{0,40}/,
  /dependencies require a PHP version .{0,40}/,
  /compiled against a different Node\.js version/,
  /NODE_MODULE_VERSION \d+/,
  /feature `?edition\d{4}`? is required/,
  /cannot be built because it requires rustc .{0,20}/,
  /digital envelope routines::unsupported/,
  // Syntax and modules that an older runtime lacks.
  /future feature \w+ is not defined/,
  /unsupported operand type\(s\) for \|: '(?:type|\w*GenericAlias)' and .{1,40}/,
  /(?:No such|Unknown) built-?in module: node:\S+|Cannot find module 'node:\S+'/,
  /class file has wrong version .{1,60}/,
  /\(?requires go1\.\d+ or later.{0,80}/,
  /Perl v?\d[\d.]* required--this is only .{1,40}/,
  /use of unstable library feature.{0,80}/,
  /Unknown file extension "\.[cm]?tsx?"|\bbad option: --\S{1,60}|ERR_UNKNOWN_BUILTIN_MODULE/,
  /\b(?:structuredClone|fetch|FormData|ReadableStream|AbortController|globalThis|WebSocket|CustomEvent) is not defined/,
  /\.(?:replaceAll|findLast(?:Index)?|toSorted|toReversed|toSpliced|withResolvers|groupBy|hasOwn|allSettled|fromAsync|availableParallelism|parseArgs|styleText) is not a function/,
  /module '(?:math|asyncio|datetime|itertools|functools|typing|enum)' has no attribute '(?:dist|prod|lcm|isqrt|comb|TaskGroup|timeout|to_thread|Runner|UTC|batched|pairwise|cache|Self|override|StrEnum)'|'str' object has no attribute 'remove(?:pre|suf)fix'/,
  // A script of bash that another shell runs.
  /\b(?:shopt|declare|typeset|source|pushd|popd|mapfile|readarray|\[\[): (?:command )?not found|Syntax error: "\(" unexpected.{0,40}|Illegal option -o pipefail|\bBad substitution\b/,
  /\bversion mismatch\b.{0,60}/,
);

const PLATFORM = anyOf(
  'im',
  /Exec format error/,
  /Inappropriate ioctl for device/,
  /cannot open display.{0,40}/,
  /no display name and no \$DISPLAY.{0,40}/,
  /Could not load the Qt platform plugin.{0,40}/,
  /No X11 DISPLAY variable.{0,20}/,
  /wrong ELF class.{0,40}/,
  /incompatible architecture.{0,60}/,
  /cannot execute binary file/,
  /Bad CPU type/,
  /EBADPLATFORM.{0,60}/,
  /HeadlessException.{0,60}/,
  /std(?:in|out) is not a (?:tty|terminal)/,
  /(?:the input device|input) is not a TTY/,
  /(?:Text file|Device or resource) busy/,
  /Function not implemented/,
  /Illegal instruction/,
  /Address family not supported.{0,40}/,
  /unsupported (?:platform|architecture|operating system).{0,60}/,
  /is not supported on (?:Windows|macOS|Linux|this platform)/,
);

/** Modules that a loader of a language did not find. */
const ABSENT_MODULE = anyOf(
  'im',
  /No module named ['"]?[\w.-]+/,
  /Cannot find (?:module|package) ['"][^'"./][^'"]*['"]/,
  /(?:ClassNotFoundException|NoClassDefFoundError): \S+/,
  /cannot load such file -- [^\s./]\S*/,
  /no required module provides package \S+/,
  /cannot find package "[^"]+"/,
  /package \S+ is not in (?:GOROOT|std)/,
  /error: package [\w.]+ does not exist/,
  /can't find crate for `\w+`/,
  /Can't locate [\w/]+\.pm in @INC/,
  /Class "[\w\\]+" not found/,
  /vendor\/autoload\.php\b.{0,40}/,
  /Gem::(?:MissingSpecError|ConflictError|LoadError|GemNotFoundException).{0,80}/,
  /Bundler::(?:GemNotFound|VersionConflict).{0,80}/,
  /Could not find (?:gem )?['`"]?[\w-]+['`"]?[ -]\(?\d[\w.]*\)?.{0,60}/,
  /Could not find gem .{1,60}/,
  /(?:DistributionNotFound|PackageNotFoundError|ZoneInfoNotFoundError).{0,80}/,
  /ServiceConfigurationError.{0,80}/,
  /No suitable driver\b.{0,60}/,
  /could not find driver/,
);

/** Dependencies that a package manager could not find or reconcile. */
const UNRESOLVED = anyOf(
  'im',
  /(?:Contextual)?VersionConflict\b.{0,80}/,
  /ERESOLVE\b.{0,80}/,
  /Could not find a version that satisfies the requirement .{1,60}/,
  /No matching distribution found for .{1,60}/,
  /(?:Could not resolve dependencies|Could not find artifact|Failed to collect dependencies).{0,100}/,
  /requirements could not be resolved to an installable set/,
  /\b(?:E404|404 Not Found) - GET https?:\S{1,100}/,
  /failed to select a version for .{1,60}/,
  /incompatible library version.{0,60}/,
  /(?:NoSuchMethodError|NoSuchFieldError|AbstractMethodError|IncompatibleClassChangeError|LinkageError): .{1,100}/,
);

/** Programs, libraries and extensions of the machine that are absent. */
const ABSENT_PART = anyOf(
  'im',
  /error while loading shared libraries: .{1,80}/,
  /DLL load failed.{0,80}/,
  /Library not loaded: .{1,80}/,
  /Unable to load dynamic library.{0,80}/,
  /specified (?:module|procedure) could not be found/,
  /Could not locate the bindings file/,
  /[^\n]{0,80}: command not found/,
  /is not recognized as an internal or external command/,
  /[^\n]{0,80}\b(?:exit |exited |failed ).{0,30}\b(?:status|code)[ (:]{1,2}127\b.{0,80}/,
  /executable file not found in .{1,40}/,
  /\bsh: (?:line )?\d+: \S+: not found/,
  /Cannot run program "[^"/]+".{0,60}/,
  /\bspawn [\w.-]+ ENOENT/,
  /linker `\S+` not found/,
  /cannot open shared object file.{0,40}/,
  /symbol lookup error: .{1,80}/,
  /cannot find -l\w+/,
  /fatal error: \S+\.h(?:pp)?: No such file or directory/,
  /(?:Unable to locate package|Package) [\w.+-]+(?: was not found in the pkg-config search path| has no installation candidate|$)/,
  /no acceptable C compiler found.{0,20}/,
  /Microsoft Visual C\+\+ [\d.]+ or greater is required/,
  /Could NOT find \w+ \(missing: .{1,60}/,
  /Unsatisf\w*LinkError.{0,80}/,
  /\bmake(?:\[\d+\])?: \S{1,60}: (?:No such file or directory|Command not found)/,
  /\benv: ['‘"]?[\w.+-]{1,60}['’"]?: No such file or directory|\bbad interpreter: .{1,80}|Can't exec "[\w.+-]{1,60}".{0,60}/,
  /[^\n]{0,60}\b(?:librar(?:y|ies)|extensions?|drivers?|executables?|binary|compilers?|interpreters?)\b.{0,60}\b(?:not (?:found|installed|available|loaded|enabled)|(?:is|it is) missing|missing|is required|(?:must|to|should) be (?:installed|enabled|loaded))\b.{0,40}/,
  /Call to undefined function (?:[\w\\]{1,100}\\)?(?:mb|curl|ctype|iconv|json|gd|image|openssl|simplexml|posix|pcntl|intl|apcu|sodium|bc|gmp|grapheme|normalizer|mysqli|pg|sqlite|zip|gz|ftp|ldap|socket|msgpack|xml|dom|utf8|hash|bz|exif|imap|snmp|sem|shm|readline|token|finfo|igbinary)_\w+/,
  /ERR_DLOPEN_FAILED/,
  /version `?GLIBC\w*_[\d.]+'? not found/,
  /undefined symbol: \w+/,
);

const ENCODING = anyOf(
  'im',
  /configured to use ASCII/,
  /'(?:ascii|charmap|latin-1|cp\d+)' codec can't .{0,80}/,
  /unsupported locale setting/,
  /invalid byte sequence in US-ASCII/,
  /from ASCII-8BIT to UTF-8/,
  /LC_ALL: cannot change locale/,
  /Setting locale failed/,
  /locale\.Error.{0,60}/,
  /setlocale: .{0,60}/,
  /unmappable character .{0,20}for encoding (?:US-)?ASCII/,
);

const NETWORK = anyOf(
  'im',
  /\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EADDRNOTAVAIL|ECONNRESET|ECONNABORTED|EPIPE)\b.{0,80}/,
  /(?:ConnectionRefused|ConnectionReset|AddrNotAvailable)\b.{0,60}/,
  /UnknownHostException.{0,60}/,
  /(?:connect(?:ion)?|read|operation|request) timed out\b.{0,60}/,
  /Connection (?:refused|reset by peer)/,
  /Broken pipe/,
  /i\/o timeout/,
  /Name or service not known/,
  /Temporary failure in name resolution/,
  /No route to host/,
  /Network is (?:unreachable|down)/,
  /no such host/,
  /getaddrinfo failed/,
  /nodename nor servname/,
  /Could not resolve host.{0,60}/,
  /Failed to open TCP connection.{0,60}/,
  /Net::(?:Open|Read)Timeout.{0,40}/,
  /Max retries exceeded with url.{0,60}/,
  /net::ERR_(?:NAME|CONNECTION|INTERNET|ADDRESS|PROXY|CERT)_\w+/,
  /Cannot connect to proxy.{0,60}/,
  /\b407 Proxy Authentication Required/,
  /Cannot assign requested address/,
  /PKIX path building failed/,
  /unable to get local issuer certificate/,
  /CERT(?:IFICATE)?_(?:HAS_EXPIRED|VERIFY_FAILED)/,
  /certificate verify failed/,
  /certificate (?:signed by unknown authority|has expired|is not trusted)/,
  /self[- ]signed certificate/,
);

const FILE = anyOf(
  'im',
  /\bENOENT\b.{0,120}/,
  /\bFileNotFoundError\b.{0,100}/,
  /No such file or directory.{0,100}/,
  /NoSuchFileException.{0,80}/,
  /FileNotFoundException.{0,80}/,
  /system cannot find the (?:file|path) specified.{0,60}/,
  /\b(?:EMFILE|ENFILE)\b.{0,60}/,
  /Too many open files/,
  /\bEROFS\b.{0,60}/,
  /Read-only file system/,
  /Datei oder Verzeichnis nicht gefunden|Aucun fichier ou dossier de ce (?:type|nom)|No existe el (?:fichero|archivo) o el directorio/,
);

/** A guard of the project that asks for an optional dependency. */
const OPTIONAL_DEPENDENCY =
  /\b(?:ImportError|ModuleNotFoundError|LoadError): .{0,120}\b(?:requires?|install(?:ed)?|missing)\b.{0,60}/;
/** A guard that asks for a part of the machine. */
const REQUIRED_PART =
  /\b(?:requires?|needs?|install|enable)\b[^\n]{0,60}\b(?:shared librar(?:y|ies)|(?:native|PHP|C) extensions?|ini (?:setting|directive|option)|php\.ini|executable|interpreter|compiler)\b.{0,60}/i;

/** Texts of operating systems, runtimes and package managers for faults of the machine, most specific first. */
export const FAULT_PATTERNS: readonly (readonly [Fact, RegExp])[] = [
  ['port', PORT],
  ['disk', WATCHERS],
  ['disk', DISK],
  ['memory', MEMORY],
  ['permission', PERMISSION],
  ['runtime', RUNTIME],
  ['runtime', REMOVED_FEATURE],
  ['platform', PLATFORM],
  ['module', ABSENT_MODULE],
  ['module', UNRESOLVED],
  ['module', ABSENT_PART],
  ['module', OPTIONAL_DEPENDENCY],
  ['module', REQUIRED_PART],
  ['encoding', ENCODING],
  ['network', NETWORK],
  ['file', FILE],
];

import type { EventFrame } from './error-event.ts';

/** Folders of libraries and runtimes by language; also of code that the runtime generates. */
const LIBRARY_PATHS = [
  // JavaScript
  /(?:^|[/~])node_modules\//,
  /^(?:node:|internal\/[\w/]*\.js$|native\b|<anonymous>|webpack\/(?:bootstrap|runtime|startup)|\[native code\])/,
  /(?:^|\/)(?:bower_components|jspm_packages|chrome-extension:|moz-extension:|safari-(?:web-)?extension:)/,
  // Python
  /(?:^|\/)(?:site-packages|dist-packages)\//,
  /(?:^|\/)lib(?:64)?\/(?:python|pypy)\d[\d.]*\//i,
  /(?:^|\/)Python\d*\/lib\//i,
  /^<(?:frozen|string|stdin|decorator|__array_function__)/,
  // JVM
  /^(?:java|javax|jakarta|jdk|sun|com\/sun|kotlin|kotlinx|scala|groovy|clojure|android|androidx|dalvik|com\/android)\//,
  /^org\/(?:springframework|apache|hibernate|eclipse|junit|jboss|postgresql|slf4j|aspectj|codehaus|glassfish|mybatis)\//,
  /^(?:io\/(?:netty|reactivex|undertow|micrometer|grpc|quarkus|vertx)|reactor|okhttp3|retrofit2|feign|akka|play)\//,
  /^com\/(?:fasterxml|zaxxer|mysql|google\/(?:common|inject|gson)|netflix|mongodb|oracle)\//,
  // Go
  /(?:^|\/)(?:pkg\/mod|libexec\/src|go[\d.]*\/src\/(?:runtime|net|testing|internal|os|sync|syscall|reflect|encoding|database|context|fmt|io|bufio|errors|time|sort|strings|strconv|bytes))\//,
  // Rust, C and C++
  /(?:^|\/)(?:rustc\/[0-9a-f]+|\.cargo\/(?:registry|git)|library\/(?:std|core|alloc)\/src|sysdeps)\//,
  /^\/usr\/(?:include|lib|lib64|local\/lib|share)\//,
  // Ruby
  /(?:^|\/)(?:gems|bundler\/gems|rubygems)\//,
  /(?:^|\/)lib\/ruby\//,
  /^<internal:/,
  // PHP
  /(?:^|\/)vendor\//,
  /^\[internal/,
  // Scripts that only start a framework
  /(?:^|\/)(?:artisan|public\/index\.php|bin\/console|manage\.py|wsgi\.py|asgi\.py)$/,
  // .NET
  /^\/_\/src\//,
];

/** Modules of libraries, for frames that name no file. */
const LIBRARY_MODULES =
  /^(?:System|Microsoft|Npgsql|Newtonsoft|Dapper|MediatR|Serilog|java|javax|jakarta|jdk|sun|kotlin|kotlinx|scala|android|androidx|org\.(?:springframework|apache|hibernate)|runtime|net\/http|reflect|testing)(?:[./]|$)/;

/** Code that a runtime writes: proxies, accessors and trampolines. */
const GENERATED =
  /(?:^<generated>|\$\$(?:Enhancer|FastClass|Lambda)|CGLIB|\$Proxy\d|\$HibernateProxy|ByteBuddy|Generated(?:Method|Constructor)Accessor|NativeMethodAccessor|DelegatingMethodAccessor|jdk\.proxy|^access\$\d|DynamicClass|^Proxy\.)/;

/** True for a frame of generated code. */
function isGeneratedFrame({ path, symbol = '', module = '' }: EventFrame): boolean {
  return GENERATED.test(path) || GENERATED.test(symbol) || GENERATED.test(module);
}

/** True for a frame of a library or of the runtime by its path or module, whatever the SDK says. */
function isLibraryFrame({ path, absPath, module }: EventFrame): boolean {
  if (LIBRARY_PATHS.some((pattern) => pattern.test(path) || (absPath !== undefined && pattern.test(absPath))))
    return true;
  return LIBRARY_MODULES.test(module ?? (path.includes('/') ? '' : path));
}

/** True for a frame of the application, by its path and by what the SDK says. */
export function isInAppFrame(frame: EventFrame): boolean {
  return !isGeneratedFrame(frame) && !isLibraryFrame(frame) && frame.inApp !== false;
}

/**
 * Selects the frames of the application. An SDK's own mark counts unless it marks everything as library; without any frame of
 * the application, all frames that are not generated remain.
 */
export function selectInAppFrames(frames: EventFrame[]): EventFrame[] {
  const written = frames.filter((frame) => !isGeneratedFrame(frame));
  const own = written.filter((frame) => !isLibraryFrame(frame));
  const marked = own.filter(({ inApp }) => inApp !== false);
  return marked.length > 0 ? marked : own;
}

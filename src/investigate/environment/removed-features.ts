import { anyOf } from '../trace/any-of.ts';

/** Functions, classes and syntax that newer releases of the languages removed: code that uses one was written for an older runtime. */
export const REMOVED_FEATURE = anyOf(
  'm',
  // Python 3, 3.7 to 3.14
  /module 'collections' has no attribute '(?:Callable|Container|Hashable|Item(?:s|View)|Iter(?:able|ator)|Mapping|Mutable\w+|Sequence|Set|Sized|\w+View|ByteString)'/,
  /module 'inspect' has no attribute '(?:getargspec|formatargspec|getmoduleinfo)'|module 'time' has no attribute 'clock'/,
  /module 'asyncio' has no attribute '(?:async|coroutine|get_child_watcher)'|module 'fractions' has no attribute 'gcd'/,
  /module 'ast' has no attribute '(?:Str|Num|Bytes|NameConstant|Ellipsis)'|module 'pkgutil' has no attribute '(?:ImpImporter|find_loader|get_loader)'/,
  /module 'string' has no attribute '(?:letters|lowercase|uppercase|maketrans|join)'|module 'sys' has no attribute '(?:maxint|setdefaultencoding)'/,
  /module 'itertools' has no attribute 'i(?:zip|map|filter)\w*'|module 'configparser' has no attribute 'SafeConfigParser'|module 'locale' has no attribute 'format'/,
  /module 'types' has no attribute '(?:String|Unicode|List|Dict|Int|Class|Instance)\w*'|module 'typing' has no attribute 'io'|module 'os' has no attribute 'getcwdu'/,
  /'dict' object has no attribute '(?:iter(?:items|keys|values)|has_key)'|'(?:_?Main)?Thread' object has no attribute 'isAlive'|'Element' object has no attribute 'getchildren'/,
  /'array\.array' object has no attribute '(?:to|from)string'|name '(?:unicode|basestring|xrange|raw_input|unichr|execfile)' is not defined/,
  /No module named '?(?:distutils|imp|asyncore|asynchat|smtpd|cgi|pipes|telnetlib|StringIO|cStringIO|ConfigParser|urllib2|urlparse|Queue|__builtin__)(?:\.\w+)*'?/,
  /module '(?:numpy|np)' has no attribute '(?:float|int|bool|object|str|complex|long|unicode|product|cumproduct|in1d|trapz)'|module 'base64' has no attribute '(?:en|de)codestring'/,
  /module 'cgi' has no attribute 'escape'|module 'platform' has no attribute '(?:linux_distribution|dist)'|module 'os' has no attribute 'errno'|module 'unittest' has no attribute '(?:makeSuite|findTestCases)'/,
  /has no attribute 'assert(?:Equals|NotEquals|RegexpMatches|ItemsEqual|_)'|module 'importlib' has no attribute 'find_loader'/,
  /Missing parentheses in call to '(?:print|exec)'|invalid mode: 'r?U|multiple exception types must be parenthesized/,
  // Ruby 2.4 to 3.4
  /undefined method [`']exists\?' for (?:File|Dir|class (?:File|Dir))|undefined method [`'](?:un)?taint(?:ed\?)?'|uninitialized constant (?:\w+::)*(?:Fixnum|Bignum|SortedSet)\b/,
  /The `SortedSet` class has been extracted|tried to create Proc object without a block|undefined method [`']=~' for (?:nil|an instance of)/,
  // Node.js
  /primordials is not defined|\butil\.(?:is(?:Array|Boolean|Buffer|Date|Error|Function|Null\w*|Number|Object|Primitive|RegExp|String|Symbol|Undefined)|pump|print|puts|log|_extend) is not a function/,
  /\bos\.(?:tmpDir|getNetworkInterfaces) is not a function|\btimers\.(?:un)?enroll is not a function|\bprocess\.assert is not a function|\bGLOBAL is not defined/,
  /\bcrypto\.create(?:Cipher|Decipher) is not a function|Unexpected identifier 'assert'|process\.binding is not a function/,
  // PHP 5.3 to 8.4
  /Call to undefined function (?:[\w\\]{1,100}\\)?(?:each|create_function|split|eregi?(?:_replace)?|money_format|mysql_\w+|mcrypt_\w+|get_magic_quotes_\w+|session_(?:un)?register|is_real|restore_include_path)\(\)/,
  /offset access syntax with curly braces is no longer supported|__autoload\(\) is no longer supported|Unparenthesized `[^`\n]{1,60}` is not supported/,
  /Return type of .{1,200} should (?:either )?be compatible with .{1,200}|Cannot use '\w{1,20}' as (?:a )?class name as it is(?: a)? reserved/,
  /(?:Required|Optional) parameter \S{1,80} (?:follows optional|declared before required) parameter/,
  /Creation of dynamic property \S{1,100} is deprecated|Passing null to parameter #\d.{1,100} is deprecated|Implicitly marking parameter .{1,60} as nullable is deprecated/,
  // Java 9 to 24
  /InaccessibleObjectException.{0,120}|module java\.\w{1,40} does not ['"]?(?:opens|exports?)\b.{0,60}|Unsupported class file major version \d{2}|The Security Manager is deprecated.{0,60}/,
  /(?:ClassNotFoundException|NoClassDefFoundError): (?:javax[./](?:xml[./]bind|annotation|activation|xml[./]ws)|sun[./])\S*/,
  // Go modules
  /go\.mod file not found in current directory.{0,60}|missing go\.sum entry.{0,80}|module lookup disabled by GOPROXY=off|cannot find main module.{0,60}/,
  // .NET
  /Could not load file or assembly .{1,80}|PlatformNotSupportedException.{0,60}|You must install or update \.NET.{0,40}/,
);

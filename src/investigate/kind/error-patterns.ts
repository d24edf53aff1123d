import { anyOf } from '../trace/any-of.ts';

/** Types of values as the runtimes name them, without those of an absent value. */
const TYPE =
  '(?:function|int(?:eger)?|str(?:ing)?|float|double|bool(?:ean)?|list|dict|tuple|set|type|method|property|bytes(?:array)?|module|array|object|number|symbol|bigint|builtin_function_or_method|generator|coroutine|complex|range|map|slice|struct|closure)';

/** A message of a runtime that names a type or value that the caller chose. */
export const CONCRETE_VALUE = anyOf(
  '',
  // Python
  new RegExp(`'${TYPE}' object`),
  /unsupported operand type\(s\) for [^\n]{1,12}: '(?!NoneType)\w+' and '(?!NoneType)\w+'/,
  /not supported between instances of '(?!NoneType)\w+' and '(?!NoneType)/,
  /can only concatenate \w+|unhashable type: '|not JSON serializable|(?:could not convert string to|invalid literal for \w+\(\))[^\n]*: '[^']/,
  /expected (?:an? )?[\w. ,]{1,60}(?:, not|, got|but got|\bgot) '?(?!None|\d+\b)\w/,
  /must be (?:an? |one of |of type |real |str\b|int\b|bytes|callable|iterable)/,
  /arg(?:ument)? \d{1,2} must be|an instance of (?:String|Integer|Array|Hash|Symbol|Float|Class)/,
  // Ruby
  /"[^"\n]*":String|\d:Integer|for #<|can't be coerced into|no implicit conversion (?:of|from) (?!nil)/,
  /comparison of [A-Z]\w* with (?!nil)|invalid value for [A-Z]\w*\(\)|wrong argument type (?!nil)/,
  // JavaScript
  /is not a (?:function|constructor)|on (?:string|number|boolean) '|Cannot use 'in' operator|is not iterable/,
  /[Rr]eceived (?:an instance|type|function)|got an? \[object|circular (?:structure|reference)|Do not know how to serialize/,
  /cannot be invoked without 'new'|Cannot convert a \w+ value to|Invalid time zone specified|Invalid URL\b|Cannot mix BigInt/,
  // Java, Kotlin, C#
  /cannot be cast to|For input string: "|Unable to cast object of type|Input string was not in a correct format|No enum constant/,
  // Go
  /interface conversion|cannot unmarshal \w+ into|parsing "[^"\n]+": /,
  // PHP
  /(?:must be (?:of (?:the )?type|an instance of|compatible with)|Unsupported operand types?:) /,
  new RegExp(`, (?:${TYPE}|instance of [\\w\\\\]+) (?:given|returned)`),
  /Cannot use object of type|Object of class [\w\\]+ could not be converted|Array to string conversion|non-numeric value/,
  /Cannot (?:modify|initialize|access) (?:readonly|private|protected) property/,
  // Perl
  /Can't use (?:string \(|an? \w+ as )|Not an? (?:HASH|ARRAY|CODE|SCALAR|GLOB) reference|Can't locate object method|isn't numeric in/,
  // Any
  /codec can't (?:en|de)code|invalid (?:start|continuation) byte|invalid byte sequence in UTF-8|not valid UTF-8|MalformedInputException/,
  /Headers? (?:already|.*after they are) sent/,
);

/** An error of computing rather than of arguments: a missing key, an index out of bounds, an unbound name. */
export const INTERNAL_TYPE = anyOf(
  '',
  /^(?:[\w.]+\.)?(?:KeyError|IndexError|UnboundLocalError|NameError|ZeroDivisionError|AssertionError|ReferenceError|RangeError|ConcurrentModificationException|\w*OutOfBounds\w*|IndexOutOfRange\w*|NoSuchElementException|KeyNotFoundException|ArithmeticException|DivideByZero\w*)\b/,
  /runtime error: (?:index|slice|integer)|index out of (?:range|bounds)|out of range \[|assignment to entry in nil map/,
  /concurrent map (?:read|write|iteration)|all goroutines are asleep|close of (?:closed|nil) channel|send on closed channel/,
  /Undefined (?:variable|array key|index|offset|property)|Undefined constant/,
  /called `(?:Option::unwrap|Result::unwrap)\(\)`|already (?:mutably )?borrowed/,
  /\b(?:on|of|is) (?:an )?empty (?:list|sequence|collection|array|iterable|iterator|range|set|deque|stack|queue)\b|\bempty (?:sequence|iterable)\b/,
  /Segmentation fault|SIG(?:SEGV|ABRT|BUS)|AddressSanitizer|LeakSanitizer|UndefinedBehaviorSanitizer|double free|free\(\): invalid|corrupted (?:size|double)|Invalid (?:read|write|free) of/,
);

/** A number or an exhausted collection that only a computation yields, in the words of the runtime. */
export const IMPOSSIBLE_VALUE =
  /(?:range|index|length|slice|position|count|size|offset|bounds)\b[^\n]{0,40}[[: (]-\d|(?:\bdivi(?:sion|ded?)|\bmodulo|\/) by (?:zero|0)\b|must not be zero|arithmetic overflow|attempt to (?:subtract|add|multiply) with overflow|integer (?:over|under)flow|Invalid (?:array|string|typed array) length|negative (?:index|length|size|count|dimension)|\bpop\w* from (?:an )?empty/i;

/** A call with the wrong number or names of arguments; the groups are the name of the function. */
export const WRONG_ARGUMENTS = anyOf(
  '',
  /([\w.]+)\(\) (?:takes|missing|got (?:an unexpected|multiple))/,
  /in [`'](?:[\w:]+[#.])?([\w.]+[?!]?)': wrong number of arguments/,
  /(?:[\w\\]+::)?(\w+)\(\) expects (?:exactly|at least|at most) \d+ arguments?/,
  /Unknown named parameter \$(\w+)/,
  /Too (?:few|many) arguments for (?:subroutine '(?:\w+::)*)?(\w+)/,
);

/** A value of a wrong type, or too few, in a call of PHP; the groups are the place of the call. */
export const CALLED_IN = anyOf(
  '',
  /^(?:[\w\\]+::)?\w+\(\): Argument #\d+ \(\$\w+\) must be .*, called in (\S+) on line (\d+)/,
  /^Too few arguments to function (?:[\w\\]+::)?\w+\(\), \d+ passed in (\S+) on line (\d+)/,
);

/** A panic of Go's `reflect`, which only the code that reflects on a value can cause. */
export const REFLECTION = /^(?:panic: )?reflect(?:\.Value\.\w+)?: /;

/** A line in which a program without a trace calls its message an error, or says how it is used; PHP itself prints what is uncaught. */
export const PRINTED_ERROR =
  /^(?:\[[^\]\n]{1,60}\] ?|[\w.-]{1,40}: )?(?:(?:[a-z]{3,12} )?(?:error|fatal): +(?!Uncaught)|usage: )\S/im;

/** The position at which a program found an error in a file that it read; the group is the file. */
export const PRINTED_POSITION =
  /^(?:[\w.-]{1,40}: )?((?:[\w.@~+-]{1,80}\/){0,20}[\w.@+-]{1,80}\.\w{1,8}|<\w{1,20}>)[:(] ?\d{1,6}\b/m;

/** A warning of PHP about a computation, with the file that it names. */
export const COMPUTING_WARNING =
  /(?:Warning|Notice|Deprecated): +(?:Undefined|Attempt to read|Trying to|Array to string|A non-numeric|Automatic conversion|Uninitialized|Illegal)[^\n]{0,200} in (\S{1,400}\.php) on line \d/g;

/** Code that does not parse. */
export const GENERATED =
  /\bSyntaxError(?!: The requested module)|invalid syntax$|Unexpected token|ParseError\b/im;

const VERSION = String.raw`v?\d+(?:\.(?:\d+|x))+[\w.+-]*`;

/** A report's statement that something worked before, in the four languages of the interface. */
export const WORKED_BEFORE = anyOf(
  'i',
  /\bregression\b|\bworked (?:in|with|before|fine|until|on|under)\b|\bno longer works?\b|\bstopped working\b/,
  /\b(?:since|after|when|upon) (?:(?:I|we|the|our|my|an?|last|latest|recent) ){0,2}(?:updat|upgrad|bump|mov)(?:e[ds]?|ing|grad\w*)?\b/,
  /\b(?:since|after|with|before) (?:the|our|my|this|an?) (?:[\w.-]{1,20} )?(?:update|upgrade)\b|\bbefore (?:I|we) (?:updat|upgrad)ed\b|\bon the (?:update|upgrade) branch\b/,
  /\bused to \w{2,}|\b(?:has|have)(?: not|n't) (?:been )?(?:changed|touched|modified)\b|\bunchanged (?:code|files?|templates?|scripts?|inputs?|tests?)\b/,
  /\b(?:since|after|from|as of|starting (?:with|in)) (?:the )?(?:latest|newest|new|last|recent|today's|yesterday's) (?:version|release|update)\b/,
  new RegExp(
    `\\b(?:since|as of|starting (?:with|in)|after|with the update to|upgrad\\w+ to) (?:version )?${VERSION}`,
  ),
  new RegExp(
    `\\b${VERSION} (?:is|was|works|worked) (?:still )?(?:fine|ok(?:ay)?|good|as expected|without)|works? (?:fine |well )?(?:with|in|on|under) (?:version )?${VERSION}`,
  ),
  /\b(?:down|roll(?:ing|ed)? ?)(?:grad\w+|back)\b[^\n]{0,60}\b(?:fix|help|work|solv|resolv)/,
  /\bbroke(?:n)? (?:in|since|by|with|after)\b|\bpreviously (?:worked|this|it)\b|\bsame (?:code|input|file|script)[^\n]{0,40}\b(?:worked|before)\b/,
  /\b(?:seit|nach) (?:dem|der|einem) (?:letzten |neuen )?(?:update|upgrade|aktualisierung|umstieg)|\bfunktionierte (?:vorher|bis|noch|mit)|\bging (?:es )?(?:vorher|bisher|noch)|mit der (?:alten|vorherigen|letzten) version/,
  /\bdepuis (?:la|une) (?:derni\S+ )?(?:mise à jour|version)|après (?:la|une) mise à jour|fonctionnait (?:avant|avec|encore)|avec (?:l'ancienne|la) version (?:précédente)?/,
  /\bdesde (?:la|una) (?:última )?(?:actualización|versión)|después de actualizar|(?:antes|todavía) funcionaba|funcionaba (?:antes|con)|con la versión (?:anterior|vieja)/,
);

import { anyOf } from '../trace/any-of.ts';

/** A sentence of a reporter begins at the margin and has no syntax of code; a quoted piece of code counts as a word. */
const SENTENCE = /^(?:[\p{L}`"'«¿¡“‘(]|\d+(?:\.\d+)+ )[^;{}<>|=\\]*$/u;
const QUOTED_CODE = /`[^`\n]{1,200}`|(?<![\p{L}\d])'[^'\n]{1,80}'(?![\p{L}\d])/gu;
/** Output of programs and typed commands: messages, frames, logs, prompts, results of tests. */
const PRINTED =
  /^(?:at|from|in|File|Traceback|Caused by|Error|Fatal|Warning|Notice|Deprecated|PHP|panic|goroutine|thread|Exception|Did you mean|Use of|FAIL|FAILED|FOUND|Ran|Finished|Usage|Please (?:report|make)|The above exception|During handling|not ok|ok|npm)\b(?! (?:the|this|that|our|my|a|an)\b)|^[\w./@~-]+[:\]]\s|^[\w.:\\/-]*(?:Error|Exception)\b|[$%#❯] \w|[\w./-]{1,80}:\d/i;
const MIN_WORDS = 4;
const MAX_LENGTH = 400;
const MAX_SENTENCES = 12;
/** A reporter speaks before and after an output. */
const MAX_LINES = 400;

/** The lines of a text in which its reporter speaks, as far as their form tells; the message of the error is none. */
export function reporterLines(text: string, message = ''): string[] {
  const isSentence = (line: string) => {
    if (line.length > MAX_LENGTH) return false;
    const plain = line.replace(QUOTED_CODE, 'x').trimEnd();
    return (
      plain.split(/\s+/).length >= MIN_WORDS &&
      SENTENCE.test(plain) &&
      !PRINTED.test(plain) &&
      !message.includes(line.trim())
    );
  };
  const lines = text.split('\n');
  const isLong = lines.length > 2 * MAX_LINES;
  const read = isLong ? [...lines.slice(0, MAX_LINES), ...lines.slice(-MAX_LINES)] : lines;
  return read.filter(isSentence).slice(0, MAX_SENTENCES);
}

/** The end of a sentence, which messages of programs rarely have. */
const SENTENCE_END = /[.!?]["'”)]?\s*$/;

/** True for a text of whole sentences alone. */
export function isWhollyProse(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isEnded = lines.every((line) => SENTENCE_END.test(line));
  return lines.length > 0 && isEnded && lines.length === reporterLines(text).length;
}

/** Something else does well: another version, program, input or day. */
const OTHERS_DO_WELL = anyOf(
  'i',
  /\b(?:is|are|was|were|went|works?|worked|runs?|passes|behaves?)\b(?! not)[^.?\n]{0,24}\b(?:fine|ok(?:ay)?|good|green|quiet|silent|right|correct(?:ly)?|accepted|valid|legal|allowed|documented|enough|as before)\b/,
  /\bworks? (?:with|in|under|without|elsewhere|when|if|again)\b|\bif (?:I|we|one) [^.?\n]{1,60}\b(?:works?|fine|gone|goes away|helps?)\b|\b(?:makes?|made) it go away\b/,
  /\b(?:accepts?|takes?|handles?|reads?|finds?|parses?|agrees?|allows?|compiles?|ran|printed|prints|says?|said|had|did)\b[^.?\n]{0,60}\b(?:not\b|nothing|agree on|all the same|it\b|still\b)/,
  /\bother (?:parsers?|tools?|readers?|programs?|implementations?|libraries|clients?|editors?) (?!as\b)\w+|\b(?:ha[sd]|have|with) no (?:problem|trouble|issue)s?\b|\bwithout (?:any |a )?(?:complaint|problem|trouble|error|warning)s?\b/,
  /\b(?:README|manual|documentation|docs|spec(?:ification)?|standard|RFC|help(?: text)?) (?:says?|shows?|promises|states?|allows?|has|have)\b|\bthe same (?:\w+ ){1,3}(?:through|with|in|via|from|on)\b|, (?:this|it|here|ours|\S+) (?:does|is|do|are) not\b/,
  /\b(?:now|since then|since (?:this|that|yesterday|today|\w+day|I pulled|(?:the|our|this) (?:[\w-]+ ){1,3}(?:was|is|were|of)\b|the (?:deploy\w*|release|pull|merge|rebuild)))\b[^?\n]*$/,
  /\bafter `[^`\n]{0,60}\b(?:install|update|upgrade|get|pull|bump)\b[^`\n]{0,60}`|\b(?:fine|green|quiet|passes) (?:with|in|on|under) [\w.-]{1,30} v?\d|\b(?:start(?:s|ed)?|began) (?:to )?(?:fail|complain|crash|break|refus|reject)\w*|\bnothing\b[^.?\n]{0,30}\bchanged\b/,
  /\b(?:with|in|by|under) (?:the |an? )?(?:old(?:er)?|former|previous|last year's|earlier) (?:version|release|one|build|script)\b|\bthe (?:old|previous|former|last) (?:version|release|one) \w+(?:ed|s|d|t|n)\b|\b(?:with|version|v) ?v?\d+(?:\.\d+)* (?:the|this|it|that|had|did|was)\b|\bV?\d+(?:\.\d+)+ (?:says?|said|prints?|printed|does|did|had|takes|took|read)\b|\b(?:v\d+|last \w+) (?:went|did|had|took|was|read)\b/,
);
/** The claim of a message is denied, or a condition is named under which the program does wrong. */
const DENIAL = anyOf(
  'i',
  /\bthere (?:is|are|was|were) (?:exactly|only|just|no|one|two|nothing)\b|\b(?:does|do|did) (?:end|begin|start|exist|have|contain|match|work|fit|close|come)\b|\b(?:as (?:one|you|anyone) can see|clearly|obviously|definitely)\b/,
  /\b(?:is|are|was) (?:indeed |exactly |really |right )?(?:there\b|(?:in|listed in|part of) (?:the|our|my|this) (?:list|file|table|\S+\.\w+)\b)|\b(?:is|are) \w+, (?:and )?not \w+|\bnot (?:even )?(?:exist|in (?:the|our|my))\b/,
  /^(?:the |that |this )?(?:line|column|row|file|key|field)(?: \d+)? (?:is|has|contains|exists|does)\b|\bshould(?: not|n't)? (?:have |be |matter|print|give|return|accept|reject|count|say)|\b(?:I|we) (?:would (?:have )?)?expect(?:ed)?\b/,
  /\b(?:is|are|was|were|comes?|counts?|prints?) (?:all )?(?:wrong|incorrect(?:ly)?|differently|misplaced|lost|gone|skipped|ignored|off by)\b|\bthe wrong (?!number)\w+|\bthe (?:mistake|error|bug|problem) is (?:in|on|at|not|elsewhere)\b|\bno longer\b|\blost (?:its|their|the)\b|\bmisses \w+/,
  /\b(?:although|even though|despite|even (?:unedited|unchanged|without|an? \w+))\b|\b(?:dies?|crash(?:es)?|blows? up|blew up|chokes?|trips?|stops?|fails?) (?:on|at|with|after|when|as soon as|for|instead)\b|\bmakes? it crash\b|\binstead of (?:a|an|the)\b/,
  /\bfor (?:every|each|any) (?!one\b)\w+|\bas soon as\b|\bwhenever\b|\bonly (?:happens|when|if|files|rows|lines|with)\b|\breproduc(?:ible|e[ds]?)\b|\bbisect\w*\b/,
);
/** A question of someone who asks for help rather than reports. */
const QUESTION =
  /\?[)"”]?\s*$|\b(?:how (?:can|do|should) (?:I|we|one)|what (?:am I|do (?:I|we)|should)|is it possible|am I)\b|^(?:wie|was|warum|comment|pourquoi|cómo|por qué|¿)\b/i;
/** The same, other than a claim that ends in a doubt. */
const OPEN_QUESTION = /^(?:can|could|would|how|what|why|is|are|do|does|who|where|which)\b[^.!\n]*\?/i;
/** The reporter changed or wrote something of their own, which then failed. */
const OWN_CHANGE =
  /(?:^|\b(?:I|we) )(?:only |just |have |newly )?(?:added|typed|edited|copied|wrote|restored|switched|moved|renamed|replaced|passed|put|changed)\b|\bafter (?:copying|adding|moving|renaming|editing)\b|\b(?:my|our) (?:own|first) \w+|\bby hand\b|\bmisspelled\b|^(?:trying|attempting) to\b|\bfirst (?:attempt|try)\b/i;
/** A machine on which it fails, where another one works. */
const OTHER_MACHINE = anyOf(
  'i',
  /\b(?:works?|runs?|fine|ok(?:ay)?|green|starts?)\b[^.\n]{0,24}\b(?:on|in|at|under) (?:my|our|the|a) (?:laptop|desktop|machine|prompt|mac\w*|pc|workstation|shell|terminal|console)\b|\blocally\b[^.\n]{0,20}\b(?:works?|fine|ok(?:ay)?|green)\b/,
  /^(?:on|in|inside|under|behind|running (?:in|inside|on|under)|(?:fresh|clean|new) install(?:ation)? (?:on|of)) (?:the |a |an |our |my )?(?:[\w-]+ ){0,3}(?:server|host|box|machine|pc|vm|runner|laptop|container|image|agent|node|job|pod|chroot|jail|nas|pi|proxy|firewall|windows|macos|mac|ubuntu|debian|alpine|centos|fedora|bsd|wsl)\b/,
  /\b(?:running|runs?|started|fails?|failed|dies|stops?) (?:in|inside|on|under|from|straight from) (?:the |a |an |our |my )?(?:[\w-]+ ){0,2}(?:docker|container|image|cron(?:tab| job)?|lambda|alpine|windows|wsl|kubernetes|pod|chroot|checkout)\b|\b(?:as|by) (?:a|an)?other user\b|\bas a different user\b/,
  /\bwithout installing (?:it|them)\b|\bon this machine\b|\bafter (?:the base image|moving to the new \w+)\b|\b(?:upgraded?|updated?|switched|migrated) (?:to )?(?:python|node(?:\.js)?|php|ruby|java|perl|lua|macos|ubuntu|debian|windows|alpine)\b/,
);

/** Signs in the sentences of a reporter, each 0 or 1. */
export interface ReporterWords {
  disputed: number;
  asked: number;
  ownChange: number;
  otherMachine: number;
}

/** Reads what the reporter says beside the output of programs. */
export function readReporterWords(text: string, message = ''): ReporterWords {
  const lines = reporterLines(text, message);
  const says = (pattern: RegExp) => Number(lines.some((line) => pattern.test(line)));
  return {
    disputed: Number(lines.some(disputes)),
    asked: says(QUESTION),
    ownChange: says(OWN_CHANGE),
    otherMachine: says(OTHER_MACHINE),
  };
}

/** True for a claim that speaks for the reporter, other than on what they did themselves or on another machine. */
function disputes(line: string): boolean {
  const isClaim = OTHERS_DO_WELL.test(line) || DENIAL.test(line);
  return isClaim && ![OPEN_QUESTION, OWN_CHANGE, OTHER_MACHINE].some((pattern) => pattern.test(line));
}

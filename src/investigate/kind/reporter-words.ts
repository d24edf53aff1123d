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

/** A number of a release. A date has a longer last part, and a path or an address goes on. */
const RELEASE =
  /(?<![\w.:/-])v?\d+\.\d+(?:\.(?:\d{1,3}|x))?(?:-?(?:rc|beta|alpha|pre)[\w.]*)?(?![\w:/%]|\.\d)/gi;
/** A runtime, a system or a format, whose number follows. */
const OTHER_NAME =
  /\b(?:python|node(?:\.?js)?|php|ruby|java|jdk|openjdk|javac|go|golang|lua|perl|rust|gcc|clang|debian|ubuntu|alpine|macos|windows|fedora|centos|rhel|postgres\w*|mysql|docker|kernel|linux|glibc|openssl|npm|bash|chrome|firefox|utf|https?|tls|iso|xml|html|css|ecma\w*|c\+\+|c)[- /]?(?:version )?v?(?:\d[\d.]* ?\()?$/i;

/** True where a sentence of the reporter names a release: a user names an earlier one because it did well. */
export function namesRelease(text: string, message = ''): boolean {
  return reporterLines(text, message).some((line) =>
    Array.from(line.matchAll(RELEASE)).some(({ index }) => !OTHER_NAME.test(line.slice(0, index))),
  );
}

/** The end of a sentence, which messages of programs rarely have. */
const SENTENCE_END = /[.!?]["'”)]?\s*$/;

/** True for a text of whole sentences alone. */
export function isWhollyProse(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isEnded = lines.every((line) => SENTENCE_END.test(line));
  return lines.length > 0 && isEnded && lines.length === reporterLines(text).length;
}

/** A question of someone who asks for help rather than reports. */
const QUESTION =
  /\?[)"”]?\s*$|\b(?:how (?:can|do|should) (?:I|we|one)|what (?:am I|do (?:I|we)|should)|is it possible|am I)\b|^(?:wie|was|warum|comment|pourquoi|cómo|por qué|¿)\b/i;
/** The reporter changed or wrote something of their own, which then failed. */
const OWN_CHANGE =
  /(?:^|\b(?:I|we) )(?:only |just |have |newly )?(?:added|typed|edited|copied|wrote|restored|switched|moved|renamed|replaced|passed|put|changed)\b|\bafter (?:copying|adding|moving|renaming|editing)\b|\b(?:my|our) (?:own|first) \w+|\bby hand\b|\bmisspelled\b|^(?:trying|attempting) to\b|\bfirst (?:attempt|try)\b/i;

/** Signs in the sentences of a reporter, each 0 or 1. */
export interface ReporterWords {
  claims: number;
  asked: number;
  ownChange: number;
}

/** Reads what the reporter says beside the output of programs. */
export function readReporterWords(text: string, message = ''): ReporterWords {
  const lines = reporterLines(text, message);
  const says = (pattern: RegExp) => Number(lines.some((line) => pattern.test(line)));
  const isClaim = (line: string) => !QUESTION.test(line) && !OWN_CHANGE.test(line);
  return { claims: Number(lines.some(isClaim)), asked: says(QUESTION), ownChange: says(OWN_CHANGE) };
}

/** Purposes of a question about a procedure. */
interface TaskKind {
  name: string;
  /** Words of questions, titles and names, in four languages. */
  words: RegExp;
  /** File names of documents about it. */
  files: RegExp;
}

/** Behind `set up`: nothing, or the project. */
const OWN_OBJECT = String.raw`[^a-z ]|$| (?:it|everything|locally)\b| (?:(?:the|an?|my|your|our|this|local|own) )*(?:dev|environment|project|repo|workspace|tool|build|code)`;

const TASK_KINDS: TaskKind[] = [
  {
    name: 'test',
    words:
      /(?<![a-z])(?:unit)?tests?(?:ing|ed)?(?![a-z])(?! (?:e-?mails?|messages?|notifications?|alerts?|webhooks?|events?|users?|accounts?|data|payments?)\b)|test suite|prueb|(?<![a-z])essais?(?![a-z])|(?<![a-z])specs?(?![a-z])/i,
    files: /test|tox\.ini|nox|contribut|hacking|build/i,
  },
  {
    name: 'release',
    words:
      /(?<![a-z])releas|publish|relanz|ver(?:ö|oe)ffentlich|publicar|publi(?:er|cation|ée?)(?![a-z])|cut a(?![a-z])|lanzar|lanzamiento|(?<![a-z])deploy/i,
    files: /releas|publish|maintain/i,
  },
  {
    name: 'build',
    words: /(?<![a-z])buil[dt]|compil|(?<![a-z])baue|construi|übersetz/i,
    files: /build|compil|makefile|install|hacking|contribut/i,
  },
  {
    name: 'install',
    words: /(?<![a-z])(?<!(?:my|our|your|an?|running|existing) )instal|einrichten/i,
    files: /install|readme|build/i,
  },
  {
    name: 'contribute',
    words: /contribu|pull requests?(?![a-z])|(?<![a-z])patch(?:es)?(?![a-z])|beitrag|beizutragen|mitarbeit/i,
    files: /contribut|hacking|develop/i,
  },
  {
    name: 'develop',
    // To set up something else than the project is a procedure of its own.
    words: new RegExp(
      `(?<![a-z])develop|(?<!(?:\\bi|\\bto|\\bwe|\\band) )setup(?![a-z])|\\bset(?:ting)?(?:[ -]it)?[ -]?up(?=${OWN_OBJECT})|entwickl|desarroll|développ`,
      'i',
    ),
    files: /contribut|hacking|develop/i,
  },
  {
    name: 'lint',
    words: /(?<![a-z])lint|(?<![a-z])format(?:t|e|ier|ear|er|$)|code style|type.?check/i,
    files: /contribut|lint|style/i,
  },
  { name: 'benchmark', words: /(?<![a-z])bench|perf(?:ormance)? test/i, files: /bench|perf|contribut/i },
  {
    name: 'document',
    words: /(?:build|generat|writ|render)\w*\b.*\b(?:docs?|documentation|manual|man pages?)\b/i,
    files: /doc|contribut/i,
  },
];

/** To start the program itself: the purpose of a question that names no other. */
export const RUN: TaskKind = {
  name: 'run',
  words:
    /(?<![a-z])(?:run|start|launch|serve|dev|execute|ejecut\w*|arranc\w*|inici\w*|lanc\w*|démarr\w*|exécut\w*|start\w*|ausführ\w*|laufen)(?![a-z])/i,
  files: /readme|usage|getting.?started|quick.?start/i,
};

/** True for a task of the project's developers, which its commands and documents settle; users install and run it in many ways. */
export function isDeveloperTask({ name }: TaskKind): boolean {
  return name !== RUN.name && name !== 'install';
}

/** Kinds of tasks that a text is about. */
export function taskKindsOf(text: string): TaskKind[] {
  const found = TASK_KINDS.filter(({ words }) => words.test(text));
  return found.length === 0 && RUN.words.test(text) ? [RUN] : found;
}

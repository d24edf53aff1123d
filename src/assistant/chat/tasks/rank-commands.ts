import type { ToolContext } from '../../tools/tool.ts';
import type { TopicMatcher } from '../evidence/topic-matcher.ts';
import type { BuildTask } from './build-task.ts';
import { commandsOf } from './doc-commands.ts';
import type { RankedSection } from './rank-sections.ts';
import { readBuildTasks } from './read-build-tasks.ts';
import type { taskKindsOf } from './task-kinds.ts';

/** A command that does what a question asks, with its place. */
export interface TaskCommand extends BuildTask {
  score: number;
  /** True for a command of a document. */
  isDocumented: boolean;
}

interface Task {
  kinds: ReturnType<typeof taskKindsOf>;
  matcher: TopicMatcher;
  question: string;
}

/** Sections whose commands are considered. */
const MAX_SECTIONS = 12;
const MIN_SHARE = 0.6;
const SECTION_SHARE = 0.45;
const NAME_WEIGHT = 0.5;
/** For a task whose whole name is what is asked: `test` before `test:esm`. */
const EXACT_WEIGHT = 0.25;
const COMMAND_WEIGHT = 0.3;
const TEXT_WEIGHT = 0.3;
const DEPTH_WEIGHT = 0.2;
const CONVENTION_FACTOR = 0.7;
const WORKFLOW_FACTOR = 0.75;
/** A command that starts a program, rather than builds or tests it. */
const STARTS_PROGRAM =
  /^(?:\.{0,2}\/|(?:node|python3?|ruby|php|perl|java|deno|bun|bash|sh|go run|cargo run|npm (?:start|run)|docker run)(?=\s|$))/;
const WORKFLOW = /(?:^|\/)\.github\//;

/** Ranks the commands of build files and of the best sections, best first, without much worse ones. */
export async function rankCommands(
  sections: readonly RankedSection[],
  task: Task,
  context: Pick<ToolContext, 'index' | 'sources'>,
): Promise<TaskCommand[]> {
  const { declared, conventional } = await readBuildTasks(context);
  const built = withoutHooks(declared).map((one) =>
    rankTask(one, task, WORKFLOW.test(one.path) ? WORKFLOW_FACTOR : 1),
  );
  const documented = sections.slice(0, MAX_SECTIONS).flatMap((ranked) => rankDocumented(ranked, task));
  const found = [...built, ...documented].filter(({ score }) => score > 0);
  const candidates =
    found.length > 0 ? found : conventional.map((one) => rankTask(one, task, CONVENTION_FACTOR));
  const ranked = candidates.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  const unique = [...Map.groupBy(ranked, ({ command }) => command).values()].map(([first]) => first!);
  return unique.filter(({ score }) => score >= MIN_SHARE * unique[0]!.score);
}

/** Without scripts that run before or after another one by their name, such as `pretest`. */
function withoutHooks(tasks: readonly BuildTask[]): BuildTask[] {
  const names = new Set(tasks.map(({ path, name }) => `${path} ${name}`));
  return tasks.filter(({ path, name }) => {
    const [, hooked] = /^(?:pre|post)(.+)$/.exec(name) ?? [];
    return hooked === undefined || !names.has(`${path} ${hooked}`);
  });
}

/** 0 for a task of which neither the name nor the text is about what is asked. */
function rankTask(task: BuildTask, { kinds, matcher }: Task, factor: number): TaskCommand {
  const { name, command, lines, path } = task;
  const text = `${name} ${command} ${lines.join('\n')}`;
  const fit = matcher.match(text);
  const isNamed = kinds.some(({ words }) => words.test(name.replace(/[_:-]/g, ' ')));
  const isExact = kinds.some((kind) => kind.name === name);
  const isMentioned = kinds.some(({ words }) => words.test(text.replace(/[_:-]/g, ' ')));
  const isInCommand = kinds.some(({ words }) => words.test(command.replace(/[_:-]/g, ' ')));
  const depth = path.split('/').length - 1;
  const score =
    2 * fit +
    NAME_WEIGHT * Number(isNamed) +
    EXACT_WEIGHT * Number(isExact) +
    COMMAND_WEIGHT * Number(isInCommand) +
    TEXT_WEIGHT * Number(isMentioned) +
    DEPTH_WEIGHT / (1 + depth);
  const isAbout = kinds.length === 0 ? fit > 0 : isMentioned;
  return { ...task, score: isAbout ? score * factor : 0, isDocumented: false };
}

function rankDocumented({ section, score }: RankedSection, { kinds, matcher }: Task): TaskCommand[] {
  return commandsOf(section).map(({ command, line, context }) => {
    const fit = matcher.match(context);
    const isMentioned = kinds.some(
      ({ name, words }) => words.test(context) || (name === 'run' && STARTS_PROGRAM.test(command)),
    );
    return {
      ...{ name: section.title, command, path: section.path, from: line, to: line, lines: [command] },
      score: SECTION_SHARE * score + fit + NAME_WEIGHT * Number(isMentioned),
      isDocumented: true,
    };
  });
}

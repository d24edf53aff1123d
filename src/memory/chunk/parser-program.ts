import { serveTasks } from '#sandbox/serve-tasks.ts';
import { hasSyntaxErrors } from './grammar.ts';
import { outline } from './outline.ts';
import type { ParserResult, ParserTask } from './parser-processes.ts';
import { cutFile } from './passages.ts';
import { runAlike } from './runtime-tokens.ts';

serveTasks<ParserTask, never, ParserResult>(async (task) => {
  if (task.kind === 'cut') return await cutFile(task.path, task.text);
  if (task.kind === 'definitions') return (await outline(task.language, task.text))?.definitions ?? null;
  if (task.kind === 'syntax') return await hasSyntaxErrors(task.path, task.text);
  return await runAlike(task.path, task.before, task.after);
});

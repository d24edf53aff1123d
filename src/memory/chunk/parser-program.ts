import { serveTasks } from '#sandbox/serve-tasks.ts';
import { parseOutline } from './outline.ts';
import type { ParserResult, ParserTask } from './parser-processes.ts';
import { chunkFile } from './passages.ts';
import { hasSameRuntimeTokens } from './runtime-tokens.ts';
import { checkChange } from './undefined-names.ts';

serveTasks<ParserTask, never, ParserResult>(async (task) => {
  if (task.kind === 'chunk') return await chunkFile(task.path, task.text);
  if (task.kind === 'definitions') return (await parseOutline(task.language, task.text))?.definitions ?? null;
  if (task.kind === 'change') return await checkChange(task.path, task.before, task.after);
  return await hasSameRuntimeTokens(task.path, task.before, task.after);
});

import type { Sentence } from '#contract/common.ts';
import type { DebugEvents, Place, ModelRun } from '#contract/debug.ts';
import { AppError } from '#contract/errors.ts';
import type { ErrorReport } from '#investigate/text/error-report.ts';
import { SENTENCE_TEXTS, type SentenceCode, say } from '#investigate/sentences.ts';
import { type PatchGround, type PatchVerdict, verifyPatch } from '#investigate/patch/find-patch.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { isResolvable, parseCitation } from '../citations.ts';
import { escapeMarkdown, fencedBlock } from '../markdown.ts';
import { checkModelText } from '../model-text.ts';
import type { Model, OutboundCall, Usage } from '../models/port.ts';
import type { ErrorAnswer } from './answer-error.ts';
import { buildDebugPrompt, type DebugPrompt } from './debug-prompt.ts';
import { type ModelReply, parseReply, REPLY_FORMAT } from './model-reply.ts';

/** Over both calls: below the time after which proxies give up. */
const TIMEOUT_MS = 55_000;
const MAX_ADVICE = 4;
/** Characters of a reply: several times what its fields may hold together. */
const MAX_REPLY = 128 * 1024;

/** Who writes, from which repository, and who hears of it. */
export interface Writing {
  model: Model;
  /** Name of the project. */
  project: string;
  repo: string;
  memory: RepositoryIndex;
  checkers: PatchGround['checkers'];
  signal: AbortSignal;
  /** Tells what is being done. */
  onStep(step: DebugEvents['step']['step']): void;
  /** Hears of every call that leaves the machine. */
  onCall(call: OutboundCall): void;
  /** Hears what both calls took so far. */
  onUsage?(usage: Usage): void;
}

/**
 * Lets a model write up what was found: cause, fix, patch and advice in its words, the places in its order. Confidence,
 * suspects, evidence and timeline stay as they were measured. Its citations are checked, its patch is tried, and mended once
 * if need be. When it fails the answer stays as it was, with the reason. Throws AppError `unavailable` with reason `stopped`
 * after an abort.
 */
export async function writeWithModel(
  found: ErrorAnswer,
  request: ErrorReport,
  writing: Writing,
): Promise<ErrorAnswer> {
  const { model, signal } = writing;
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const usage: Usage = { input: null, output: null };
  const attempt: Attempt = { ...writing, usage, gone: signal, signal: AbortSignal.any([signal, late]) };
  try {
    const { patch, ...answer } = await compose(found, request, attempt);
    return { ...answer, patch: patch.text, model_run: writtenBy(model, { usage, patch: patch.became }) };
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError) || error.code === 'internal') throw error;
    const reason = late.aborted ? 'model_slow' : (error.reason ?? 'model_failed');
    return withoutModel(found, model, failureSentence(reason), usage);
  }
}

/** The answer as it was found, with the reason for which no model's words are in it. */
export function withoutModel(
  found: ErrorAnswer,
  model: Pick<Model, 'name'>,
  failure: Sentence,
  usage: Usage = { input: null, output: null },
): ErrorAnswer {
  return { ...found, model_run: { ...writtenBy(model, { usage, patch: 'none' }), failure } };
}

function writtenBy(
  { name }: Pick<Model, 'name'>,
  { usage, patch }: { usage: Usage; patch: ModelRun['patch'] },
): ModelRun {
  const took = { input_tokens: usage.input, output_tokens: usage.output };
  return { model: name, ...took, failure: null, patch };
}

/** The sentence for why a model's answer is not shown. */
function failureSentence(reason: string): Sentence {
  const code = `debug.model.${reason}`;
  return say((SENTENCE_TEXTS.has(code) ? code : 'debug.model.model_failed') as SentenceCode);
}

interface Attempt extends Writing {
  /** Aborts when the reader has gone, `signal` also when time is up. */
  gone: AbortSignal;
  /** Of both calls together. */
  usage: Usage;
}

/** An answer in the model's words; `text` is the patch that it shows. */
type Written = Omit<ErrorAnswer, 'patch'> & { patch: { text: string | null; became: ModelRun['patch'] } };

async function compose(found: ErrorAnswer, request: ErrorReport, attempt: Attempt): Promise<Written> {
  const { project, repo, memory } = attempt;
  const brief = await buildDebugPrompt({ project, request, found, repo });
  const { text, reply } = await requestReply(brief, attempt);
  const { verdict, patch, became } = await validatePatch(brief, { text, reply }, { found, attempt });
  const markdown = await writeSolution({ ...reply, patch }, { verdict, found, attempt });
  const advice = reply.bestPractices.slice(0, MAX_ADVICE);
  return {
    ...found,
    solution: await checkModelText(markdown, { repo, memory }),
    context: {
      ...found.context,
      code_suggestions: advice.length > 0 ? advice : found.context.code_suggestions,
    },
    places: reorderPlaces(found.places, reply.placeOrder),
    patch: { text: verdict?.holds ? verdict.text : found.patch, became },
  };
}

async function requestReply(brief: DebugPrompt, { model, signal, onStep, onCall, onUsage, usage }: Attempt) {
  onStep('asking');
  const before = { ...usage };
  const count = (sum: Usage) => {
    usage.input = add(before.input, sum.input);
    usage.output = add(before.output, sum.output);
    onUsage?.({ ...usage });
  };
  let text = '';
  for await (const piece of model.write(brief, { signal, format: REPLY_FORMAT, onCall, onUsage: count })) {
    if (text === '') onStep('writing');
    text += piece;
    if (text.length > MAX_REPLY) break;
  }
  const reply = parseReply(text);
  if (reply) return { text, reply };
  const reason = text.trim() === '' ? 'refused' : 'malformed';
  throw new AppError('unavailable', 'The language model’s answer could not be read.', { reason });
}

function add(sum: number | null, more: number | null): number | null {
  return more === null ? sum : (sum ?? 0) + more;
}

interface PatchResult {
  /** Null where it proposed none. */
  verdict: PatchVerdict | null;
  /** As the model wrote it last. */
  patch: string | null;
  became: ModelRun['patch'];
}

/** Tries the model's patch; tells the model once what is wrong with it. */
async function validatePatch(
  brief: DebugPrompt,
  { text, reply }: { text: string; reply: ModelReply },
  { found, attempt }: { found: ErrorAnswer; attempt: Attempt },
): Promise<PatchResult> {
  if (reply.patch === null) return { verdict: null, patch: null, became: 'none' };
  const first = await tryPatch(reply.patch, found, attempt);
  if (first.holds) return { verdict: first, patch: reply.patch, became: 'checked' };
  attempt.onStep('repairing');
  const wrong = `The patch cannot be used:\n${brief.quote(first.reason)}\n\nAnswer again with all fields, the patch mended, or null when you cannot mend it.`;
  const turns = [
    ...brief.turns,
    { role: 'assistant' as const, content: text },
    { role: 'user' as const, content: wrong },
  ];
  const refused: PatchResult = { verdict: first, patch: reply.patch, became: 'refused' };
  try {
    const { patch } = (await requestReply({ ...brief, turns }, attempt)).reply;
    if (patch === null) return refused;
    const second = await tryPatch(patch, found, attempt);
    return second.holds
      ? { verdict: second, patch, became: 'repaired' }
      : { verdict: second, patch, became: 'refused' };
  } catch (error) {
    // The words are there already; a second call that fails costs only the patch.
    if (error instanceof AppError && !attempt.gone.aborted) return refused;
    throw error;
  }
}

async function tryPatch(
  patch: string,
  { indexed_commit: commit }: ErrorAnswer,
  { repo, checkers, signal, onStep }: Attempt,
): Promise<PatchVerdict> {
  onStep('checking');
  try {
    return await verifyPatch(patch, { repo, commit, checkers, signal });
  } catch (error) {
    if (!(error instanceof AppError) || signal.aborted) throw error;
    return { holds: false, reason: error.message };
  }
}

/** The model's words under our headings; a patch that does not hold stays words. */
async function writeSolution(
  reply: ModelReply,
  { verdict, found, attempt }: { verdict: PatchVerdict | null; found: ErrorAnswer; attempt: Attempt },
): Promise<string> {
  const known = new Set(found.evidence.map(({ id }) => id));
  const words = (text: string) => demoteHeadings(dropUnknownEvidence(text, known));
  const sections = [`### Root cause\n\n${words(reply.rootCause)}`];
  if (reply.fix !== '') sections.push(`### Recommended fix\n\n${words(reply.fix)}`);
  if (reply.patch !== null && verdict && !verdict.holds) {
    const lead = `The model also wrote a change that is no patch to apply. ${escapeMarkdown(verdict.reason)}`;
    sections.push(`${lead}\n\n${fencedBlock('diff', reply.patch.trimEnd())}`);
  }
  if (reply.confidenceBasis !== '')
    sections.push(`### What this rests on\n\n${words(reply.confidenceBasis)}`);
  const sources = await listSources(reply, attempt);
  if (sources.length > 0) sections.push(`Sources: ${sources.join(', ')}.`);
  sections.push(
    '*Written by a language model from the evidence of the repository. Its citations were looked up; whether it is right, only you can say.*',
  );
  return sections.join('\n\n');
}

/** What it cites apart from its words, as far as it is there. */
async function listSources(reply: ModelReply, { repo, memory }: Attempt): Promise<string[]> {
  const said = `${reply.rootCause}${reply.fix}${reply.confidenceBasis}`;
  const texts = [...new Set(reply.citations.map((text) => text.replaceAll('`', '').trim()))];
  const found = await Promise.all(
    texts.map(async (text) => {
      const citation = parseCitation(text);
      return citation && !said.includes(text) && (await isResolvable(citation, { repo, memory }));
    }),
  );
  return texts.filter((_, index) => found[index]).map((text) => `\`${text}\``);
}

/** Numbers of findings that there are not are left out: a reader could not follow them. */
function dropUnknownEvidence(text: string, known: ReadonlySet<string>): string {
  return text.replace(/ ?\[(e\d{1,4})\]/g, (whole, id: string) => (known.has(id) ? whole : ''));
}

/** Headings of the model's own would stand beside ours: their words become bold. */
function demoteHeadings(text: string): string {
  return text
    .split('\n')
    .map((line) => (/^#{1,6}\s/.test(line) ? formatHeadingAsBold(line) : line))
    .join('\n');
}

function formatHeadingAsBold(heading: string): string {
  const words = heading.replace(/^#+/, '').trim();
  let end = words.length;
  while (words[end - 1] === '#') end -= 1;
  return end === 0 ? heading : `**${words.slice(0, end).trimEnd()}**`;
}

/** Places in the order of a model: ids that there are not are dropped, places that it left out follow as they were. */
export function reorderPlaces(places: Place[], order: string[]): Place[] {
  const wanted = order.flatMap((id) => places[Number(/^p(\d{1,3})$/.exec(id.trim())?.[1]) - 1] ?? []);
  return [...new Set([...wanted, ...places])];
}

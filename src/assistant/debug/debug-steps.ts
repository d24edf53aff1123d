import type { Sentence } from '#contract/common.ts';
import type { ModelRun, Place } from '#contract/debug.ts';
import { AppError } from '#contract/errors.ts';
import { createSentence } from '#contract/sentence.ts';
import { type PatchVerdict, type VerifyPatchOptions, verifyPatch } from '#investigate/fixes/verify-patch.ts';
import type { ErrorReport } from '#investigate/locate/error-report.ts';
import { type AnswerContext, modelNotice } from '../answer/answer-context.ts';
import type { AnswerSteps, ComposeContext, Draft } from '../answer/answer-pipeline.ts';
import { answerText } from '../answer/answer-text.ts';
import { isResolvable, parseCitation } from '../answer/citations.ts';
import { escapeMarkdown, fencedBlock } from '../answer/markdown.ts';
import type { Usage } from '../models/port.ts';
import type { ErrorAnswer } from './answer-error.ts';
import { buildDebugPrompt, type DebugPrompt } from './debug-prompt.ts';
import { type ModelReply, parseReply, REPLY_FORMAT } from './model-reply.ts';
import { isSupported, strikeOtherCommits } from './reply-support.ts';

/** Limit for both calls together, below the time after which proxies give up. */
const TIMEOUT_MS = 55_000;
const MAX_ADVICE = 4;
/** Characters of a reply: several times what its fields may hold together. */
const MAX_REPLY_LENGTH = 128 * 1024;

interface DebugSources {
  collect(): Promise<ErrorAnswer>;
  checkers: VerifyPatchOptions['checkers'];
}

/** One composition of an error answer with a model. */
interface Composition extends ComposeContext {
  found: ErrorAnswer;
  request: ErrorReport;
  checkers: VerifyPatchOptions['checkers'];
  /** Aborts on disconnect and on timeout. */
  callSignal: AbortSignal;
  /** Usage of both calls together. */
  usage: Usage;
}

/**
 * Steps of an error answer. The model writes cause, fix, patch and advice, and orders the places; confidence, suspects,
 * evidence and timeline stay as measured. Its patch is verified, and repaired once. When the model fails, the answer is the
 * one without it, with the reason.
 */
export function createDebugSteps(
  request: ErrorReport,
  { collect, checkers }: DebugSources,
  context: AnswerContext,
): AnswerSteps<ErrorAnswer, ErrorAnswer> {
  const usage: Usage = { input: null, output: null };
  let timeout: AbortSignal | null = null;
  return {
    collect,
    assemble(found, absence) {
      if (absence.kind === 'budget_exhausted') {
        return withFailure(found, absence.model, { reason: absence.reason, usage });
      }
      return { ...found, solution: `${found.solution}\n\n${modelNotice(absence, context)}` };
    },
    async compose(found, composeContext): Promise<Draft<ErrorAnswer>> {
      const { root_cause, confidence, abstained } = found;
      context.emit('findings', { root_cause, confidence, abstained });
      timeout = AbortSignal.timeout(TIMEOUT_MS);
      const callSignal = AbortSignal.any([context.signal, timeout]);
      return await composeDraft({ ...composeContext, found, request, checkers, callSignal, usage });
    },
    recover(found, error, model) {
      if (context.signal.aborted || !(error instanceof AppError) || error.code === 'internal') throw error;
      const reason = timeout?.aborted
        ? createSentence('errors.model_timed_out')
        : createSentence(`errors.${error.messageKey}`, error.params);
      return withFailure(found, model.name, { reason, usage });
    },
  };
}

/** The answer without the model, with the reason of its failure. */
function withFailure(
  found: ErrorAnswer,
  model: string,
  { reason, usage }: { reason: Sentence; usage: Usage },
): ErrorAnswer {
  return { ...found, model_run: { ...toModelRun(model, usage, 'none'), failure: reason } };
}

function toModelRun(model: string, usage: Usage, patch: ModelRun['patch']): ModelRun {
  return { model, input_tokens: usage.input, output_tokens: usage.output, failure: null, patch };
}

async function composeDraft(composition: Composition): Promise<Draft<ErrorAnswer>> {
  const { found, model, usage } = composition;
  const prompt = await buildDebugPrompt(composition);
  const { text, reply } = await requestReply(prompt, composition);
  if (!(await isSupported(reply, composition)))
    throw new AppError('unavailable', 'model_answer_unsupported', { reason: 'model_answer_unsupported' });
  const result = await validatePatch(prompt, { text, reply }, composition);
  const { verdict, outcome } = result;
  const advice = reply.bestPractices.slice(0, MAX_ADVICE);
  return {
    markdown: await formatReply({ ...reply, patch: result.patch }, verdict, composition),
    toAnswer: (solution) => ({
      ...found,
      solution,
      context: {
        ...found.context,
        code_suggestions: advice.length > 0 ? advice : found.context.code_suggestions,
      },
      places: reorderPlaces(found.places, reply.placeOrder),
      patch: verdict?.isValid ? verdict.text : found.patch,
      model_run: toModelRun(model.name, usage, outcome),
    }),
  };
}

async function requestReply(prompt: DebugPrompt, composition: Composition) {
  const { model, callSignal, emit, onCall, onUsage, usage } = composition;
  emit('step', { step: 'waiting' });
  const before = { ...usage };
  const addUsage = (sum: Usage) => {
    usage.input = add(before.input, sum.input);
    usage.output = add(before.output, sum.output);
    onUsage({ ...usage });
  };
  const options = { signal: callSignal, format: REPLY_FORMAT, onCall, onUsage: addUsage };
  let text = '';
  for await (const piece of model.write(prompt, options)) {
    if (text === '') emit('step', { step: 'generating' });
    text += piece;
    if (text.length > MAX_REPLY_LENGTH) break;
  }
  const reply = parseReply(text);
  if (reply) return { text, reply };
  const key = text.trim() === '' ? 'model_answer_empty' : 'model_answer_unreadable';
  throw new AppError('unavailable', key, { reason: key });
}

function add(sum: number | null, more: number | null): number | null {
  return more === null ? sum : (sum ?? 0) + more;
}

interface PatchResult {
  /** Null when the model proposed no patch. */
  verdict: PatchVerdict | null;
  /** The model's last version. */
  patch: string | null;
  outcome: ModelRun['patch'];
}

/** Verifies the model's patch; an invalid one is sent back once with the reason. */
async function validatePatch(
  prompt: DebugPrompt,
  { text, reply }: { text: string; reply: ModelReply },
  composition: Composition,
): Promise<PatchResult> {
  if (reply.patch === null) return { verdict: null, patch: null, outcome: 'none' };
  const first = await tryPatch(reply.patch, composition);
  if (first.isValid) return { verdict: first, patch: reply.patch, outcome: 'verified' };
  composition.emit('step', { step: 'repairing_patch' });
  const correction = `The patch cannot be used:\n${prompt.quote(first.reason)}\n\nAnswer again with all fields, with a corrected patch, or with null when you cannot correct it.`;
  const turns = [
    ...prompt.turns,
    { role: 'assistant' as const, content: text },
    { role: 'user' as const, content: correction },
  ];
  const rejected: PatchResult = { verdict: first, patch: reply.patch, outcome: 'rejected' };
  try {
    const { patch } = (await requestReply({ ...prompt, turns }, composition)).reply;
    if (patch === null) return rejected;
    const verdict = await tryPatch(patch, composition);
    return { verdict, patch, outcome: verdict.isValid ? 'repaired' : 'rejected' };
  } catch (error) {
    // The first reply remains usable: a failed second call costs the patch only.
    if (error instanceof AppError && !composition.signal.aborted) return rejected;
    throw error;
  }
}

async function tryPatch(patch: string, composition: Composition): Promise<PatchVerdict> {
  const { repo, found, checkers, callSignal: signal, emit } = composition;
  emit('step', { step: 'checking_patch' });
  try {
    return await verifyPatch(patch, { repo, commit: found.indexed_commit, checkers, signal });
  } catch (error) {
    if (!(error instanceof AppError) || signal.aborted) throw error;
    return { isValid: false, reason: error.message };
  }
}

/** Formats the model's reply under our headings; a patch that does not apply is shown as text. */
async function formatReply(
  reply: ModelReply,
  verdict: PatchVerdict | null,
  context: Composition,
): Promise<string> {
  const ids = new Set(context.found.evidence.map(({ id }) => id));
  const section = (key: 'root_cause' | 'recommended_fix' | 'basis', text: string) =>
    `### ${answerText(context, `debug.${key}`)}\n\n${demoteHeadings(strikeOtherCommits(dropUnknownEvidence(text, ids), context.found))}`;
  const sections = [section('root_cause', reply.rootCause)];
  if (reply.fix !== '') sections.push(section('recommended_fix', reply.fix));
  if (reply.patch !== null && verdict && !verdict.isValid) {
    const reason = escapeMarkdown(verdict.reason);
    sections.push(answerText(context, 'debug.unusable_patch', { reason }));
    sections.push(fencedBlock('diff', reply.patch.trimEnd()));
  }
  if (reply.confidenceBasis !== '') sections.push(section('basis', reply.confidenceBasis));
  const sources = await listSources(reply, context);
  if (sources.length > 0) {
    sections.push(answerText(context, 'debug.sources', { sources: sources.join(', ') }));
  }
  sections.push(`*${answerText(context, 'notice.written_by_model')}*`);
  return sections.join('\n\n');
}

/** Citations of the reply that resolve and do not occur in its text. */
async function listSources(reply: ModelReply, source: Composition): Promise<string[]> {
  const modelText = `${reply.rootCause}${reply.fix}${reply.confidenceBasis}`;
  const texts = [...new Set(reply.citations.map((text) => text.replaceAll('`', '').trim()))];
  const isListed = await Promise.all(
    texts.map(async (text) => {
      const citation = parseCitation(text);
      return citation && !modelText.includes(text) && (await isResolvable(citation, source));
    }),
  );
  return texts.filter((_, index) => isListed[index]).map((text) => `\`${text}\``);
}

/** Removes ids of evidence that does not exist. */
function dropUnknownEvidence(text: string, ids: ReadonlySet<string>): string {
  return text.replace(/ ?\[(e\d{1,4})\]/g, (whole, id: string) => (ids.has(id) ? whole : ''));
}

/** Turns the model's own headings into bold text, so that they do not compete with ours. */
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

/** Reorders places by the model's ids; unknown ids are dropped, omitted places follow in their order. */
function reorderPlaces(places: Place[], order: string[]): Place[] {
  const reordered = order.flatMap((id) => places[Number(/^p(\d{1,3})$/.exec(id.trim())?.[1]) - 1] ?? []);
  return [...new Set([...reordered, ...places])];
}

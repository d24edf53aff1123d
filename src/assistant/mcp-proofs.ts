import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Proof, ProofPlan, ProofRequest } from '#contract/proofs.ts';

/** Calls of the API by which a client proves answers; each is authorized like the API itself. */
export interface McpProofs {
  plan(session: string): Promise<ProofPlan>;
  start(session: string, request: ProofRequest): Promise<{ id: string }>;
  get(id: string): Promise<Proof>;
  cancel(id: string): Promise<void>;
}

type ToolReply = (
  work: () => Promise<{ text: string }>,
) => Promise<{ content: { type: 'text'; text: string }[] }>;

const text = (max: number) => z.string().min(1).max(max);

const START_INPUT = z.object({
  session: text(64).describe('Id or number of the debug session whose answer is proven'),
  kind: z
    .enum(['reproduce', 'bisect', 'verify'])
    .describe(
      'reproduce: does the command show the error; bisect: find the first bad commit; verify: test a patch',
    ),
  command: text(2_000)
    .optional()
    .describe('Shell command of one line; the first proposed one unless set. Exit code 0 passes, 125 skips'),
  good: text(200).optional().describe('bisect: revision at which the command passes'),
  bad: text(200).optional().describe('Revision at which it fails; the indexed head unless set'),
  patch: text(1_048_576).optional().describe('verify: unified diff'),
  revert: text(64).optional().describe('verify: full hash of a commit to revert'),
  confirm: z
    .boolean()
    .optional()
    .describe(
      'Runs code of the repository. Show the user what will run, and set it to true only after they agree',
    ),
});

const PROVE = `Prove an answer by running a command of the repository in a sandbox on the server, without network: reproduce the error, find the first bad commit, or verify a patch. Without confirm: true nothing runs, and the reply says what would. Ask the user before you confirm. The owner of the project must allow running code. The reply has the id for get_proof.`;

/** Adds the tools that start, read and cancel proofs. */
export function addProofTools(server: McpServer, proofs: McpProofs, toReply: ToolReply): void {
  const runs = {
    title: 'Prove an answer',
    readOnlyHint: false,
    destructiveHint: false,
    openWorldHint: false,
  };
  server.registerTool(
    'prove_answer',
    { description: PROVE, inputSchema: START_INPUT, annotations: runs },
    (input) => toReply(async () => ({ text: await proveAnswer(proofs, input) })),
  );
  const id = z.object({ id: text(64).describe('Id of the proof') });
  server.registerTool(
    'get_proof',
    {
      description: 'Get the state, the runs and the conclusion of a proof.',
      inputSchema: id,
      annotations: { title: 'Read a proof', readOnlyHint: true, openWorldHint: false },
    },
    ({ id }) => toReply(async () => ({ text: describeProof(await proofs.get(id)) })),
  );
  server.registerTool(
    'cancel_proof',
    {
      description: 'Cancel a proof that is queued or running.',
      inputSchema: id,
      annotations: {
        title: 'Cancel a proof',
        readOnlyHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ id }) =>
      toReply(async () => {
        await proofs.cancel(id);
        return { text: 'Canceled.' };
      }),
  );
}

async function proveAnswer(proofs: McpProofs, input: z.output<typeof START_INPUT>): Promise<string> {
  const { session, confirm, ...request } = input;
  const plan = await proofs.plan(session);
  const command = request.command ?? plan.commands[0]?.command;
  if (command === undefined) return 'No command was found for this error. Pass one as `command`.';
  if (plan.readiness !== 'ready') return `Nothing can run: ${plan.message}`;
  if (confirm !== true) return describePlan(plan, { ...request, command });
  const { id } = await proofs.start(session, { ...request, command });
  return `Started proof ${id}. Read it with get_proof.`;
}

/** States what would run, for the user to agree to. */
function describePlan(plan: ProofPlan, { kind, command, bad }: ProofRequest): string {
  const at = bad ?? plan.bad.slice(0, 7);
  const where = {
    reproduce: `three times at ${at}`,
    bisect: `at ${at}, the suspects and their parents first, then between them`,
    verify: `at ${at} without and with the patch`,
  }[kind];
  const others = plan.commands.map((one) => one.command).filter((one) => one !== command);
  return [
    'Nothing has run yet. Ask the user, then call prove_answer again with confirm: true.',
    `Command: ${command}`,
    `Runs ${where}, in a sandbox on the server: no network, at most ${plan.limits.run_seconds} s and ${plan.limits.memory_mb} MB for each run.`,
    ...(plan.setup === null
      ? []
      : [`Set-up: ${plan.setup} (may reach: ${plan.hosts.join(', ') || 'nothing'})`]),
    ...(others.length === 0
      ? []
      : [`Other proposed commands:\n${others.map((one) => `- ${one}`).join('\n')}`]),
  ].join('\n');
}

function describeProof({ kind, state, message, result, command, id }: Proof): string {
  const runs = (result?.runs ?? []).map(
    ({ commit, outcome, purpose, ms, message }) =>
      `- ${commit.slice(0, 7)} ${outcome} (${purpose}, ${ms} ms): ${message}`,
  );
  const left = result?.runs_left == null ? '' : ` About ${result.runs_left} runs are left.`;
  return [
    `Proof ${id} (${kind}): ${state}.${left}`,
    ...(message ? [message] : []),
    ...(result?.first_bad ? [`First bad commit: ${result.first_bad}`] : []),
    `Command: ${command}`,
    ...(runs.length === 0 ? [] : [`Runs:\n${runs.join('\n')}`]),
  ].join('\n');
}

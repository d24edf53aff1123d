import type { CallTable } from './row.ts';
import type { World } from './world.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const HASH = /^[0-9a-f]{40}$/;

const inLedger = ({ project }: World) => ({ params: { id: project.id } });
const inTalk = ({ talkative }: World) => ({ params: { id: talkative.id } });

/** Section 7, Projects, debug, history. */
export const work: CallTable[] = [
  {
    section: 3,
    call: 'GET /projects',
    fields: {
      '[].id': 'string',
      '[].name': 'string',
      '[].git_url': /^http/,
      '[].description': 'string?',
      '[].created_at': TIME,
      '[].updated_at': TIME,
    },
  },
  {
    section: 7,
    call: 'POST /projects',
    status: 201,
    as: 'guest',
    input: ({ gitUrl }) => ({
      body: { name: 'Once more', git_url: gitUrl, description: 'The ledger again' },
    }),
    fields: { id: 'string', name: /^Once more$/, git_url: /ledger\.git$/, description: /^The ledger again$/ },
  },
  {
    section: 5,
    call: 'POST /projects',
    about: 'without name and git_url',
    status: 422,
    input: () => ({ body: {} }),
    fields: { 'error.fields.name': 'string', 'error.fields.git_url': 'string' },
  },
  {
    section: 5,
    call: 'POST /projects',
    about: 'with an address that is none',
    status: 422,
    input: () => ({ body: { name: 'X', git_url: 'not an address' } }),
    fields: { 'error.fields.git_url': 'string' },
  },
  { section: 7, call: 'GET /projects/:id', input: inLedger, fields: { id: 'string', name: /^Ledger$/ } },
  {
    section: 8,
    call: 'GET /projects/:id',
    about: 'of another user',
    as: 'newcomer',
    status: 404,
    input: inLedger,
    fields: { detail: 'string' },
  },
  { section: 7, call: 'POST /projects/:id/refresh', status: 202, input: inTalk, fields: { id: 'string' } },
  {
    section: 3,
    call: 'GET /projects/:id/commits',
    input: inLedger,
    fields: {
      'commits[].id': HASH,
      'commits[].message': 'string',
      'commits[].author': 'string',
      'commits[].timestamp': TIME,
      'commits[].hash': HASH,
      'commits[].files_changed': 'list',
    },
  },
  {
    section: 7,
    call: 'GET /history/commits/:id',
    input: ({ project }) => ({ params: { id: project.id }, query: { project_id: project.id } }),
    fields: { 'commits[].hash': HASH },
    decision: '0027-feedback-session-id',
  },
  {
    section: 3,
    call: 'POST /debug',
    input: ({ error, project }) => ({
      body: {
        error_message: error,
        project_id: project.id,
        code_snippet: 'parseAmount(entry.amount)',
        file_path: 'src/read/amount.js',
        additional_context: 'since the clean-up',
      },
    }),
    fields: {
      solution: 'string',
      confidence: 'number',
      'context.similar_errors': 'list',
      'context.similar_errors[].content': 'string',
      'context.similar_errors[].similarity': 'number',
      'context.code_suggestions': 'list',
      'context.code_suggestions[]': 'string',
      id: 'string',
      number: 'number',
      abstained: 'boolean',
      'root_cause.text': 'string',
      'places[].path': 'string',
      'suspect_commits[].hash': HASH,
      'evidence[].quote': 'string',
      indexed_commit: HASH,
      took_ms: 'number',
    },
  },
  {
    section: 5,
    call: 'POST /debug',
    about: 'without error_message and project_id',
    status: 422,
    input: () => ({ body: {} }),
    fields: { 'error.fields.error_message': 'string', 'error.fields.project_id': 'string' },
  },
  {
    section: 7,
    call: 'POST /debug/rag',
    input: ({ error, project }) => ({ body: { error_message: error, project_id: project.id } }),
    fields: { solution: 'string', confidence: 'number' },
  },
  {
    section: 3,
    call: 'POST /history/feedback',
    status: 201,
    input: ({ session }) => ({
      body: { debug_query_id: session.id, helpful: true, comments: 'Solution was helpful' },
    }),
    fields: { id: 'string', helpful: 'boolean', comments: /^Solution was helpful$/, created_at: TIME },
  },
  {
    section: 7,
    call: 'POST /history/feedback',
    about: 'for number 1, as clients of the specification send',
    status: 201,
    input: () => ({ body: { debug_query_id: 1, helpful: true, comments: 'Solution was helpful' } }),
    fields: { id: 'string' },
    decision: '0027-feedback-session-id',
  },
  {
    section: 7,
    call: 'GET /history/feedback/:id',
    about: 'for number 1, as clients of the specification send',
    input: () => ({ params: { id: '1' } }),
    fields: { '[].helpful': 'boolean', '[].comments': 'string', '[].created_at': TIME },
    decision: '0027-feedback-session-id',
  },
  {
    section: 7,
    call: 'GET /history/feedback/:id',
    about: 'of a project',
    input: ({ project }) => ({ params: { id: project.id }, query: { scope: 'project' } }),
    fields: { '[].id': 'string' },
    decision: '0027-feedback-session-id',
  },
];

/** Section 7, IDE. */
export const ide: CallTable[] = [
  {
    section: 3,
    call: 'GET /ide/projects/:id/files',
    input: inLedger,
    fields: {
      'src.type': ['directory'],
      'src.children': 'object',
      'src.children.read.type': ['directory'],
      'src.children.read.children': 'object',
    },
  },
  {
    section: 3,
    call: 'GET /ide/projects/:id/files/*',
    input: ({ project }) => ({ params: { id: project.id, '*': 'src/cli.js' } }),
    fields: { content: /readFileSync/ },
  },
  {
    section: 7,
    call: 'POST /ide/projects/:id/files/*',
    input: ({ talkative }) => ({
      params: { id: talkative.id, '*': 'src/note.js' },
      body: { content: `// ${unique('note')}\n`, commit_message: 'Update src/note.js' },
    }),
    fields: { commit: HASH, branch: /^hindsight\/ada$/ },
    decision: '0030-saving-creates-a-commit',
  },
  {
    section: 3,
    call: 'POST /ide/projects/:id/debug/ide',
    input: ({ project }) => ({
      params: { id: project.id },
      body: {
        code: 'const broken = ;\n',
        file_path: 'src/cli.js',
        error_message: "Cannot read properties of undefined (reading 'trim')",
        additional_context: 'since the clean-up',
        use_reference_pack: true,
      },
    }),
    fields: { errors: 'list', 'errors[].line': 'number', 'errors[].message': 'string', solution: 'string' },
  },
];

/** Section 7, Notifications. */
export const notifications: CallTable[] = [
  {
    section: 3,
    call: 'GET /notifications',
    input: () => ({ query: { limit: '20' } }),
    fields: {
      '[].id': 'string',
      '[].type': ['success', 'warning', 'error', 'info'],
      '[].title': 'string',
      '[].message': 'string',
      '[].read': 'boolean',
      '[].created_at': TIME,
      '[].action_url': 'string?',
    },
  },
  { section: 7, call: 'GET /notifications/unread-count', fields: { count: 'number' } },
  {
    section: 7,
    call: 'POST /notifications/:id/read',
    input: newestNotification,
    fields: { read: 'boolean' },
  },
  { section: 7, call: 'DELETE /notifications/:id', input: newestNotification },
  { section: 7, call: 'POST /notifications/read-all' },
];

/** Section 7, Chat. */
export const chat: CallTable[] = [
  {
    section: 3,
    call: 'POST /chat/projects/:id/messages',
    input: ({ talkative }) => ({
      params: { id: talkative.id },
      body: {
        message: 'Who wrote src/total.js?',
        project_id: talkative.id,
        use_chat_history: true,
        use_code_context: true,
      },
    }),
    fields: { response: 'string', id: 'string', user_message_id: 'string' },
  },
  {
    section: 3,
    call: 'GET /chat/projects/:id/messages',
    input: ({ talkative }) => ({ params: { id: talkative.id }, query: { skip: '0', limit: '50' } }),
    fields: {
      messages: 'list',
      'messages[].id': 'string',
      'messages[].role': ['user', 'assistant', 'system'],
      'messages[].content': 'string',
      'messages[].created_at': TIME,
      has_more: 'boolean',
    },
    decision: '0028-chat-messages',
  },
  {
    section: 5,
    call: 'POST /chat/projects/:id/messages',
    about: 'with whitespace alone',
    status: 422,
    input: ({ talkative }) => ({
      params: { id: talkative.id },
      body: { message: ' \n ', project_id: talkative.id },
    }),
    fields: { 'error.fields.message': 'string' },
  },
  {
    section: 7,
    call: 'GET /chat/projects/:id/summaries',
    input: inTalk,
    fields: { summaries: 'list' },
    decision: '0028-chat-messages',
  },
  { section: 7, call: 'DELETE /chat/projects/:id/messages', input: inTalk },
];

let number = 0;

function unique(stem: string): string {
  number += 1;
  return `${stem}-${number}`;
}

async function newestNotification(
  _: World,
  { call, as }: Parameters<NonNullable<CallTable['input']>>[1],
): Promise<{ params: { id: string } }> {
  const { body } = await call<{ id: string }[]>('GET /notifications', { as });
  return { params: { id: body[0]?.id ?? 'none' } };
}

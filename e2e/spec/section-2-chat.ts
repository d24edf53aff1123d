import {
  all,
  answered,
  brief,
  checked,
  click,
  count,
  disabled,
  enabled,
  fill,
  has,
  holds,
  inWorld,
  press,
  reads,
  reload,
  see,
  sends,
  styled,
  truth,
  unhindered,
  unseen,
} from './checks.ts';
import type { Screen } from './row.ts';
import { button, checkbox, css, either, heading, placeholder, role, text, within } from './targets.ts';

const input = placeholder('Message your project...');
const send = button('Send');
const MESSAGES = /\/api\/chat\/projects\/[\w-]+\/messages/;
const dialog = either(role('dialog'), role('alertdialog'));
/** True when a system message is centered in its list, within the width of a scroll bar. */
const CENTRED = `(() => {
  const message = document.evaluate('//*[text()="The index was rebuilt."]', document, null, 9).singleNodeValue;
  const box = message.getBoundingClientRect();
  const outer = message.closest('main').getBoundingClientRect();
  const off = Math.abs(box.left + box.right - outer.left - outer.right) / 2;
  return getComputedStyle(message).textAlign === 'center' || off < 40;
})()`;
const LONG = `${'Tell me everything that you know about this. '.repeat(15)}The end.`;

/** Section 2, Project chat page and Chat panel. */
export const chat: Screen[] = [
  {
    section: 2,
    title: 'Chat',
    as: 'user',
    open: ({ project }) => `/projects/${project.id}/chat`,
    ready: input,
    rows: [
      { what: 'the project name', check: see(heading(/Ledger/)) },
      { what: 'AI-powered assistance', check: see(text('AI-powered assistance')) },
      { what: 'Chat with {project name}', check: see(text('Chat with Ledger')) },
      { what: 'hints', check: see(text('Who are the main contributors?')) },
      { what: 'the placeholder', check: see(input) },
      { what: 'sending is disabled when the input is empty', check: disabled(send) },
      {
        what: 'whitespace alone cannot be sent',
        section: 5,
        check: all(fill(input, '   \n '), disabled(send)),
      },
      { what: 'text can be sent', check: all(fill(input, 'Who wrote src/total.js?'), enabled(send)) },
      {
        what: 'Shift+Enter inserts a new line',
        check: all(press('Shift+Enter'), holds(input, /Who wrote src\/total\.js\?\n$/)),
      },
      {
        what: 'clear input',
        check: all(click(button('Clear input')), holds(input, '')),
      },
      {
        what: 'the options toggle',
        check: all(click(button('Options')), see(checkbox(/Use chat history/))),
      },
      { what: 'Use chat history is on', check: checked(checkbox(/Use chat history/)) },
      { what: 'Use code context is on', check: checked(checkbox(/Use code context/)) },
      {
        what: 'the payload: message, project_id, use_chat_history, use_code_context',
        section: 3,
        check: all(
          click(checkbox(/Use code context/)),
          fill(input, LONG),
          inWorld(({ project }) =>
            sends(press('Enter'), 'POST', MESSAGES, {
              message: LONG,
              project_id: project.id,
              use_chat_history: true,
              use_code_context: false,
            }),
          ),
        ),
      },
      { what: 'the message stands there at once', section: 4, check: see(text('Tell me everything')) },
      {
        what: 'a reply is appended',
        section: 4,
        check: all(unseen(button('Stop')), count(css('main ol[aria-label] > li'), 2), see(button(/^Copy/))),
      },
      {
        what: 'a message over 500 characters is collapsed',
        section: 9,
        check: see(button('Show more')),
      },
      {
        what: 'collapsed to 8rem',
        section: 9,
        check: styled('main *', 'max-height', '128px'),
      },
      { what: 'Show less', check: all(click(button('Show more')), see(button('Show less'))) },
      {
        what: 'a copied indicator for 2 seconds',
        section: 9,
        check: brief(click(button(/^Copy/)), text(/Copied/), 2_000),
      },
      {
        what: 'sending is disabled while sending',
        section: 5,
        check: all(
          answered(MESSAGES, { method: 'POST', afterMs: 1500 }),
          fill(input, 'And when?'),
          press('Enter'),
          fill(input, 'More'),
          unseen(css('button:enabled:text-is("Send")')),
          see(text('And when?')),
        ),
      },
      {
        what: 'a message that failed stays, with Retry and Delete',
        section: 4,
        decision: '0028-chat-messages',
        check: all(
          unhindered,
          reload,
          see(input),
          answered(MESSAGES, { method: 'POST', status: 503 }),
          fill(input, 'This one fails'),
          press('Enter'),
          see(text('This one fails'), button('Retry'), button(/^Delete/)),
        ),
      },
      {
        what: 'clearing asks first',
        section: 5,
        check: all(
          unhindered,
          click(button('Clear Chat')),
          see(text('Are you sure you want to clear all chat history for this project?')),
        ),
      },
      {
        what: 'Failed to clear chat. Please try again.',
        section: 8,
        decision: '0029-no-browser-alerts',
        check: all(
          answered(MESSAGES, { method: 'DELETE', status: 503 }),
          click(within(dialog, button('Clear Chat'))),
          see(text('Failed to clear chat. Please try again.')),
        ),
      },
      {
        what: 'clearing empties the list',
        section: 4,
        check: all(
          unhindered,
          reload,
          see(input),
          click(button('Clear Chat')),
          click(within(dialog, button('Clear Chat'))),
          see(text('Chat with Ledger')),
        ),
      },
    ],
  },
  {
    section: 2,
    title: 'Chat with more than a page',
    as: 'user',
    open: ({ talkative }) => `/projects/${talkative.id}/chat`,
    ready: text('Question 26'),
    rows: [
      { what: 'the newest message is at the bottom', check: see(text('Question 26')) },
      {
        what: 'a page has 50 messages',
        section: 9,
        check: unseen(css('main ol li:has-text("Question 1:")')),
      },
      {
        what: 'older pages are loaded at the top',
        check: all(click(button('Show older messages')), see(text('Question 2:'))),
      },
      {
        what: 'older messages come before newer ones',
        section: 4,
        check: reads(css('main ol'), /Question 1:[\s\S]*Question 2:[\s\S]*Question 26:/),
      },
      {
        what: 'system messages are centred',
        check: async (page, world) => {
          await page.route(MESSAGES, async (route) => {
            const message = {
              id: 's1',
              role: 'system',
              content: 'The index was rebuilt.',
              status: 'done',
              created_at: '2024-01-01T00:00:00Z',
            };
            await route.fulfill({ json: { messages: [message], has_more: false } });
          });
          await page.reload();
          await see(text('The index was rebuilt.'))(page, world);
          await truth(CENTRED)(page, world);
        },
      },
      {
        what: 'a failed load shows, with Retry',
        section: 8,
        decision: '0025-visible-errors',
        check: all(
          unhindered,
          answered(MESSAGES, { status: 500 }),
          reload,
          see(button('Retry')),
          has(button('Retry'), 'type', 'button'),
        ),
      },
    ],
  },
];

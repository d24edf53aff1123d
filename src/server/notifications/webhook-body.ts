import { createHmac } from 'node:crypto';
import type { Sentence } from '#contract/common.ts';
import { renderSentence } from '#contract/sentence.ts';
import type { WebhookDelivery, WebhookKind } from '#contract/webhooks.ts';
import type { Language } from '#locales/languages.ts';

/** Content of a delivery, for any receiver. */
export interface WebhookContent {
  title: Sentence;
  message: Sentence;
  /** Absolute URL of the page. */
  url: string;
  /** Ids, for programs. */
  data: Record<string, string>;
}

interface WebhookMessage {
  event: WebhookDelivery['event'];
  createdAt: Date;
  content: WebhookContent;
  language: Language;
}

/** Renders the JSON body that a kind of receiver understands. Texts of repositories and errors are escaped for it. */
export function renderWebhookBody(kind: WebhookKind, message: WebhookMessage): string {
  return JSON.stringify(BODIES[kind](message));
}

const BODIES: Record<WebhookKind, (message: WebhookMessage) => object> = {
  // https://www.standardwebhooks.com: type, timestamp, data.
  standard: ({ event, createdAt, content }) => ({
    type: event,
    timestamp: createdAt.toISOString(),
    data: {
      ...content.data,
      title: content.title.text,
      message: content.message.text,
      url: content.url,
    },
  }),
  slack: ({ content, language }) => {
    const { title, text } = render(content, language, escapeSlack);
    return { text: `*<${escapeSlack(content.url)}|${title}>*\n${text}`, unfurl_links: false };
  },
  // Adaptive card of an incoming webhook or a workflow.
  teams: ({ content, language }) => {
    const { title, text } = render(content, language, escapeMarkdown);
    return {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: title, weight: 'Bolder', wrap: true },
              { type: 'TextBlock', text, wrap: true },
            ],
            actions: [{ type: 'Action.OpenUrl', title: 'Hindsight', url: content.url }],
          },
        },
      ],
    };
  },
  discord: ({ content, language }) => {
    const { title, text } = render(content, language, escapeMarkdown);
    // No name in an error pings anyone.
    return { content: `**[${title}](<${content.url}>)**\n${text}`, allowed_mentions: { parse: [] } };
  },
};

function render(
  { title, message }: WebhookContent,
  language: Language,
  escapeText: (text: string) => string,
) {
  const line = (sentence: Sentence) => escapeText(renderSentence(sentence, language));
  return { title: line(title), text: line(message) };
}

/** Slack reads `<…>` as links, mentions and commands. */
const escapeSlack = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Escapes links, images, headings and emphasis; code between backticks stays, since its text holds none. */
const escapeMarkdown = (text: string) =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[\\*_~[\]()<>#|]/g, '\\$&')))
    .join('');

/** Headers of Standard Webhooks: the signature is HMAC-SHA256 over `id.timestamp.body` with the decoded secret. */
export function signWebhook(secret: string, { id, at, body }: { id: string; at: Date; body: string }) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

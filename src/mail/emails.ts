import { formatMessage, type MessageKey } from '#locales/format-message.ts';
import type { Language } from '#locales/languages.ts';

/** Kind of an email: the key of its texts. */
type EmailKind = KindOf<MessageKey>;
type KindOf<K> = K extends `mail.${infer Kind}.subject` ? Kind : never;

/** A rendered email without its recipient. */
export interface Email {
  subject: string;
  text: string;
  html: string;
  /** Address for replies, if not that of the sender. */
  replyTo?: string;
  /** Ends emails of this kind by one POST (RFC 8058). */
  unsubscribeUrl?: string;
}

interface EmailParams {
  kind: EmailKind;
  language: Language;
  /** Username of the recipient. Never a free-form name, which could carry text of an attacker. */
  name: string;
  /** Target of its one link. */
  link: string;
  /** Date in the text, if it has one. */
  date?: Date | undefined;
  /** Count in the text, if it has one. */
  count?: number;
  /** Lines that someone else has written, quoted before the link. */
  quoted?: readonly string[];
  /** Lines of a list before the link. */
  list?: readonly string[];
}

/** Renders an email as plain text and as HTML. */
export function renderEmail(email: EmailParams): Email {
  const { kind, language, name, link, date, count, quoted = [], list = [] } = email;
  const day = date
    ? new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date)
    : '';
  const params = { date: day, ...(count !== undefined && { count }) };
  const texts = {
    subject: formatMessage(language, `mail.${kind}.subject`),
    lead: formatMessage(language, `mail.${kind}.lead`, params),
    action: formatMessage(language, `mail.${kind}.action`),
    after: formatMessage(language, `mail.${kind}.after`),
  };
  const hello = formatMessage(language, 'mail.greeting', { name });
  const sender = formatMessage(language, 'mail.signature', { url: new URL(link).origin });
  const quote = [...quoted.map((line) => `> ${line}`), ...list.map((line) => `- ${line}`)].join('\n');
  const lead = quote ? `${texts.lead}\n\n${quote}\n\n${link}` : `${texts.lead}\n${link}`;
  const text = [hello, lead, texts.after, `-- \n${sender}`].join('\n\n');
  const paragraphs = [
    escapeHtml(hello),
    escapeHtml(texts.lead),
    ...(quote ? [[...quoted, ...list].map(escapeHtml).join('<br>')] : []),
    `<a href="${escapeHtml(link)}">${escapeHtml(texts.action)}</a>`,
    escapeHtml(link),
    escapeHtml(texts.after),
    `<small>${escapeHtml(sender)}</small>`,
  ];
  const body = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n');
  const html = `<!doctype html>\n<html lang="${language}">\n<body style="font-family: sans-serif; max-width: 34em">\n${body}\n</body>\n</html>\n`;
  return { subject: texts.subject, text: `${text}\n`, html };
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

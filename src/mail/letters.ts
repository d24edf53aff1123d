import de from '#locales/de/mail.json' with { type: 'json' };
import en from '#locales/en/mail.json' with { type: 'json' };
import es from '#locales/es/mail.json' with { type: 'json' };
import fr from '#locales/fr/mail.json' with { type: 'json' };

const TEXTS = { en, es, fr, de };

/** The languages in which letters are written. */
export type LetterLanguage = keyof typeof TEXTS;

/** What a letter is about: the name of its texts. */
export type LetterKind =
  | 'password_reset'
  | 'email_confirm'
  | 'email_changed'
  | 'account_leaving'
  | 'two_factor_reset'
  | 'invitation'
  | 'news'
  | 'project_invitation';

/** A letter in words, before it has a receiver. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
}

interface Contents {
  kind: LetterKind;
  language: LetterLanguage;
  /** The reader's username. Never a name that anybody could have chosen freely: it would be a text of theirs. */
  name: string;
  /** Where the letter's one link leads. */
  link: string;
  /** The day that the letter speaks of, if it does. */
  date?: Date | undefined;
  /** How many the letter speaks of, if it does. */
  count?: number;
}

/** Writes a letter as plain text and as HTML with the same words. */
export function writeLetter({ kind, language, name, link, date, count }: Contents): Letter {
  const { [kind]: words, greeting, signature } = TEXTS[language];
  const day = date
    ? new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date)
    : '';
  const texts = { ...words, lead: words.lead.replace('{{date}}', day).replace('{{count}}', String(count)) };
  const hello = greeting.replace('{{name}}', name);
  const sender = signature.replace('{{address}}', new URL(link).origin);
  const text = [hello, `${texts.lead}\n${link}`, texts.after, `-- \n${sender}`].join('\n\n');
  const paragraphs = [
    escapeHtml(hello),
    escapeHtml(texts.lead),
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

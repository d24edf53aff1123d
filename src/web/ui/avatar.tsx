import { clsx } from 'clsx';
import { Bot } from 'lucide-react';

const SIZES = {
  tiny: 'size-4 text-[8px]',
  small: 'size-5 text-[9px]',
  normal: 'size-6 text-[10px]',
  large: 'size-14 text-title',
};

/** Number of `--person-…` tints. */
const TINTS = 6;

interface AvatarProps {
  /** Full name, user name or author of a commit. */
  name: string;
  size?: keyof typeof SIZES;
  className?: string;
}

/** Initials in a quiet tint that a name always has; always beside the name. Bots have an icon. */
export function Avatar({ name, size = 'normal', className }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      style={{ background: `var(--person-${(hash(name.toLowerCase()) % TINTS) + 1})` }}
      className={clsx(
        'inline-flex shrink-0 items-center justify-center rounded-full font-semibold text-on-person select-none',
        SIZES[size],
        className,
      )}
    >
      {name.endsWith('[bot]') ? <Bot className="size-[60%]" /> : initials(name)}
    </span>
  );
}

/** First letters of the first and the last word: `Ada Lovelace` → `AL`, `ada` → `A`. */
function initials(name: string): string {
  const words = name.split(/[\s._\-@]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return (
    picked
      .map((word) => [...(word ?? '')][0] ?? '')
      .join('')
      .toUpperCase() || '?'
  );
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

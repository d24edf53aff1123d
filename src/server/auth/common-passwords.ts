import { AppError, type ErrorMessage } from '#contract/errors.ts';
import type { ServerConfig } from '../deps.ts';

/** Words commonly used in passwords: alone, doubled, or with a few digits and symbols around them. */
const COMMON_WORDS = new Set(
  `abcd access admin adminadmin administrador administrator adobe alexander alexandra always amanda amazon andrew
  android angel angels anna anthony apple april argentina army arsenal asdasdasd asdf asdfasdf asdfg asdfgh
  asdfghj asdfghjk asdfghjkl asdfqwer ashley asshole audi august australia autumn avengers azerty baby babyboy
  babygirl backup bailey banana barcelona bart baseball basketball batman bayern beatles benjamin berlin
  bienvenido bienvenue bismillah bitbucket bitch blessed blessing blink bmw bonjour boston boxing brasil brazil
  broncos brooklyn buddy budweiser bulls bunny business buster butterfly california camaro canada captain
  carolina caroline casino catherine celtic champion change changeit changeme charles charlie cheese chelsea
  cherry chevy chicago chicken chile china chocolate christ christian christine christopher cisco cocacola
  coffee college colombia company computer contrasena cookie correcthorsebatterystaple corvette cougar
  counterstrike cowboys creative cricket daisy dallas dance dancer daniel danielle database david deadbeef death
  debian december default dell demo deploy design deutschland devdevdev developer diablo director docker doctor
  dollar dolphin dolphins donald dortmund dragon dragonball drowssap ducati eagle eagles earth edward einstein
  elephant eleven elizabeth eminem emma engineer england espana everyday example facebook faith falcon february
  fernando ferrari finance firebird fireman florida flower flowers football ford forest forever fortnite france
  freedom friday friends frodo fuck fuckoff fuckyou galaxy gandalf garfield gast geheim george germany giants
  ginger github gitlab god godisgood godzilla goku golf golfer goofy google grace greenday guest guestguest
  guinness guitar hacker hacking hallo happiness happy hardcore harley harleydavidson haslo heather heaven hello
  hellohello helloworld heslo hobbit hockey hola homer honda honey hope horse hotstuff hottie hulk hunter ilove
  ilovegod iloveu iloveyou india instagram internet invite iphone ireland ironman italia italy jaguar james
  january japan jasmine jedi jenkins jennifer jessica jesus jesuschrist john joker jordan joseph joshua julia
  july june juventus kennwort killer king kingdom kisses kitty kubernetes lakers laura legolas lenovo letmein
  letmeinnow lily linkinpark linux lion liverpool login loginlogin logon london losenord love lovelove loveme
  lover lovers loveyou lucky luigi macintosh madonna madrid maggie manager manchester march maria marine mario
  marketing marvel master matrix matthew maverick max melissa mercedes metallica mexico michael michelle mickey
  microsoft midnight milan million minecraft minnie monday money monkey monkeys moon morpheus moscow motdepasse
  mountain murder music mustang mypassword mysecret mysql naruto natalie navy neo netflix network never newyork
  nicholas nicole ninja nintendo nirvana nokia nothing november ocean october office olivia oracle orange oscar
  packers panther paris parola pass passpass passwd password passwords passwort patricia patriots paypal peace
  peaches peanut penguin pepper personal phoenix pikachu platinum playstation pokemon poker poland police polska
  porn porsche postgres postgresql president prince princess producer production programmer pumpkin puppy pussy
  qaz qazwsx qazwsxedc queen qweasd qweasdzxc qwer qwerasdf qwert qwerty qwertyqwerty qwertyu qwertyui
  qwertyuiop qwertz rabbit rachel raiders rainbow rangers redis redsox richard rihanna river robert robin roblox
  rock rocknroll rockstar rocky rome root rootroot rose rugby running russia salasana sam samantha sammy sample
  samsung samurai sarah sasuke saturday school scorpion scotland secret secreto secretsecret security senha
  september server service seven sexsex sexy shadow shakira signin simpson simpsons skating skywalker slipknot
  smile snoopy snow snowball soccer softball soldier something sonic sophia spain spartans spiderman spotify
  spring star starcraft stars startrek starwars steelers stephanie student success summer sunday sunny sunshine
  superman superstar suzuki sweet sweetheart sweetie sweety swimming swordfish sydney system teacher temp
  temporary temppass tennis tequila test tester testing testtest texas thepassword thomas thursday tiger tigger
  tinkerbell tokyo toor topsecret tottenham toyota trinity trustno tuesday turkey turtle twitter ubuntu
  undertaker unicorn united universe university user username usernames vader valentina vampire vegeta victoria
  virginia vodka volleyball wachtwoord warcraft warrior wednesday welcome whatever whiskey wildcats william
  willkommen windows winter wireless wolf woman wonder wrestling wsx yamaha yankees yoda youtube zelda zombie
  zxcv zxcvb zxcvbn zxcvbnm zxcvbnmz`.split(/\s+/),
);

/** Common passwords of at least eight characters that are not a word with affixes. */
const COMMON_PASSWORDS = new Set(
  `passw0rd p@ssw0rd p@ssword pa$$word 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc zaq12wsx zaq1zaq1 a1b2c3d4
  a1s2d3f4 abc12345 abc123456 abc123abc aa123456 aa12345678 a1234567 a12345678 a123456789 q1w2e3r4 q1w2e3r4t5
  123456789a 12345678a 123456a1 1234567a 123qwe123 123qwe456 qwe12345 qwe123qwe 12341234 12344321 12121212
  11223344 11112222 112233445566 123123123 123321123 12312312 123456123 147258369 159357456 987654321 98765432
  9876543210 0987654321 1029384756 10203040 01234567 0123456789 12345678910 1234567891 1234567890a 11111111
  00000000 88888888 31415926 p455w0rd`.split(/\s+/),
);

/** Rows and columns of common keyboard layouts, in both directions. */
const KEYBOARD_WALKS = [
  '1234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgbyhnujm',
].flatMap((walk) => [walk, [...walk].reverse().join('')]);

/** Leetspeak characters and the letters they replace. */
const LEET_SUBSTITUTIONS: Record<string, string> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Up to this many characters around a word add no real strength. */
const MAX_AFFIX_LENGTH = 5;

/** Longer patterns are accepted for their length. */
const MAX_PATTERN_LENGTH = 20;

const PRODUCT = 'hindsight';

interface Account {
  username: string;
  email: string;
}

/**
 * Throws `invalid_input` for the field when its password is shorter than the configured minimum or easily guessed.
 */
export function requireStrongPassword(
  { passwordMinLength }: Pick<ServerConfig, 'passwordMinLength'>,
  field: string,
  password: string,
  account: Account,
): void {
  const isTooShort = [...password].length < passwordMinLength;
  if (!isTooShort && !isCommonPassword(password, account)) return;
  const message: ErrorMessage = isTooShort
    ? { key: 'too_short', params: { minimum: passwordMinLength } }
    : { key: 'password_guessable' };
  throw new AppError('invalid_input', message.key, { params: message.params, fields: { [field]: message } });
}

/**
 * True for a common password, a sequence such as `abcdefgh`, a keyboard walk, a repetition, or a common word, the
 * product name or the account name with a few characters around it, in leetspeak too.
 */
function isCommonPassword(password: string, account: Account): boolean {
  const lowered = password.toLowerCase();
  const names = [PRODUCT, account.username, account.email, account.email.split('@', 1)[0]!].map((name) =>
    name.toLowerCase(),
  );
  const core = lowered.replace(/^[\d\W_]+|[\d\W_]+$/g, '');
  if (
    COMMON_PASSWORDS.has(lowered) ||
    isSequence(lowered) ||
    isKeyboardWalk(lowered) ||
    isRepetition(lowered)
  )
    return true;
  if (names.some((name) => lowered === name || core === name)) return true;
  return [lowered, core, undoLeet(lowered), undoLeet(core), undoLeet(lowered.replace(/[\d\W_]+$/, ''))].some(
    (word) => lowered.length - word.length <= MAX_AFFIX_LENGTH && isCommonWord(word),
  );
}

function isCommonWord(text: string): boolean {
  const half = text.slice(0, text.length / 2);
  return COMMON_WORDS.has(text) || (half + half === text && COMMON_WORDS.has(half));
}

function undoLeet(text: string): string {
  return text.replace(/[013457@$!]/g, (sign) => LEET_SUBSTITUTIONS[sign]!);
}

/**
 * Matches `qwertyui`, `poiuytre`, `1qaz2wsx`, or several such walks of three or more keys, as in `qwertyasdf`.
 */
function isKeyboardWalk(text: string): boolean {
  let rest = text;
  while (rest !== '' && text.length <= MAX_PATTERN_LENGTH) {
    const length = walkPrefixLength(rest);
    if (length < 3) return false;
    rest = rest.slice(length);
  }
  return rest === '';
}

/** Length of the longest prefix on a single keyboard walk. */
function walkPrefixLength(text: string): number {
  let length = 0;
  while (length < text.length && KEYBOARD_WALKS.some((walk) => walk.includes(text.slice(0, length + 1))))
    length += 1;
  return length;
}

/** Matches `abcabcabc` and `12121212`: a unit of at most four characters, repeated. */
function isRepetition(text: string): boolean {
  return /^(.{1,4})\1+$/s.test(text) && text.length <= MAX_PATTERN_LENGTH;
}

/** Matches characters with a constant step of at most one: `aaaaaaaa`, `12345678`, `hgfedcba`. */
function isSequence(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0)!);
  const step = codes[1]! - codes[0]!;
  return (
    Math.abs(step) <= 1 && codes.every((code, index) => index === 0 || code - codes[index - 1]! === step)
  );
}

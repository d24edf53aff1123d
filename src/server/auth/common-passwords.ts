import { AppError } from '#contract/errors.ts';
import type { ServerConfig } from '../deps.ts';

/** Common passwords of eight characters and more; shorter ones are refused for their length. */
const COMMON = new Set(
  `password password1 password12 password123 password1234 password2 password01 password! password1! passw0rd
  p@ssw0rd p@ssword pa$$word passwort passwords mypassword thepassword changeme changeme1 changeme123 changeit
  letmein1 letmein123 letmein! welcome1 welcome12 welcome123 welcome! welcome2 administrator adminadmin admin123
  admin1234 admin12345 admin2024 admin2025 admin2026 rootroot root1234 toor1234 test1234 testtest test12345
  testing1 testing123 tester123 guest123 guestguest user1234 username usernames default1 default123 secret123
  secretsecret topsecret mysecret qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456
  qwertyqwerty qwer1234 qwerasdf qweasdzxc qazwsxedc qazwsx123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc
  zaq12wsx zaq1zaq1 zxcvbnm1 zxcvbnm123 zxcvbnmz asdfghjk asdfghjkl asdf1234 asdfasdf asdfqwer asdasdasd
  a1b2c3d4 a1s2d3f4 abcd1234 abcd12345 abc12345 abc123456 abc123abc aa123456 aa12345678 a1234567 a12345678
  a123456789 q1w2e3r4 q1w2e3r4t5 123456789a 12345678a 123456a1 1234567a 123qwe123 123qweasd 123qwe456 qwe12345
  qwe123qwe 1234qwer 12341234 12344321 12121212 11223344 11112222 112233445566 123123123 123321123 12312312
  123456123 147258369 159357456 987654321 98765432 9876543210 0987654321 1029384756 10203040 01234567
  0123456789 12345678910 1234567891 1234567890a 11111111 00000000 88888888 31415926 iloveyou iloveyou1 iloveyou2
  iloveyou! ilovegod loveyou1 lovelove loveme123 sunshine sunshine1 princess princess1 princess2 football
  football1 football123 baseball baseball1 basketball softball volleyball superman superman1 batman123 spiderman
  starwars starwars1 pokemon1 pokemon123 minecraft minecraft1 dragon123 dragonball monkey123 monkeys1 michael1
  michelle jennifer jessica1 jordan23 charlie1 computer computer1 internet internet1 master123 mustang1
  shadow123 trustno1 whatever whatever1 nothing1 letmeinnow blink182 babygirl babygirl1 butterfly chocolate
  cocacola corvette elephant garfield greenday hello123 hello1234 hellohello helloworld hunter123
  liverpool liverpool1 lovers123 manchester matrix123 metallica midnight mercedes maverick mountain patricia
  peanut123 pepper123 personal platinum playstation porsche1 producer rangers1 samantha samsung1 samsung123
  scorpion security september simpsons slipknot snowball spartans steelers startrek success1 summer123 summer2024
  summer2025 summer2026 winter2024 winter2025 winter2026 spring2025 spring2026 autumn2025 superstar sweetheart
  swordfish tinkerbell tottenham undertaker valentina victoria1 virginia william1 wildcats windows1 windows10
  yankees1 access14 access123 alexander alexandra anthony1 arsenal1 asdfghjkl1 asdfghjkl123 barcelona benjamin
  bismillah brooklyn business caroline carolina catherine champion chelsea1 christian christine cowboys1
  danielle december dolphins drowssap november october1 february einstein everyday fernando firebird flower123
  freedom1 friends1 fuckyou1 fuckyou2 godzilla hardcore harley123 heather1 hockey123 honey123 jasmine1
  lakers24 login123 loginlogin natalie1 nicholas nintendo p455w0rd pass1234 pass12345 passpass password123!
  postgres postgres1 postgresql mysql1234 oracle123 docker123 github123 gitlab123 developer developer1 devdevdev
  production database deadbeef correcthorsebatterystaple`.split(/\s+/),
);

const PRODUCT = 'hindsight';

interface Account {
  username: string;
  email: string;
}

/**
 * Throws `invalid_input` for the field when its password is shorter than this server takes, or among the first that
 * anybody would try.
 */
export function refuseWeakPassword(
  { passwordMinLength }: Pick<ServerConfig, 'passwordMinLength'>,
  field: string,
  password: string,
  account: Account,
): void {
  const isShort = [...password].length < passwordMinLength;
  if (!isShort && !isCommonPassword(password, account)) return;
  const message = isShort
    ? `Use at least ${passwordMinLength} characters`
    : 'This password is one of the first that anybody would try';
  throw new AppError('invalid_input', message, { fields: { [field]: message } });
}

/**
 * A common one, one character again and again, a run such as `abcdefgh`, or the product's or the account's own name
 * with digits around it.
 */
function isCommonPassword(password: string, account: Account): boolean {
  const plain = password.toLowerCase();
  const core = plain.replace(/^[\d\W_]+|[\d\W_]+$/g, '');
  const names = [PRODUCT, account.username, account.email, account.email.split('@', 1)[0]!];
  return (
    COMMON.has(plain) || isRun(plain) || names.some((name) => [plain, core].includes(name.toLowerCase()))
  );
}

/** Every character follows the one before by the same small step: `aaaaaaaa`, `12345678`, `hgfedcba`. */
function isRun(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0)!);
  const step = codes[1]! - codes[0]!;
  return (
    Math.abs(step) <= 1 && codes.every((code, index) => index === 0 || code - codes[index - 1]! === step)
  );
}

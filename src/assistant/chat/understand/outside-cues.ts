import { plainText } from './question-tokens.ts';

/** Phrases that ask for opinions, plans, popularity, money or other projects, which no repository records; without accents. */
const OUTSIDE = [
  // Opinions and comparisons.
  String.raw`do you (?:\w+ )?think|your opinions?|any opinions? on|in your view|would you (?:recommend|advise)|(?:is|are) (?:it|they|\w+) (?:still )?worth|worth (?:learning|using|switching)|(?:better|nicer|worse|cleaner|easier|safer) (?:\w+ ){0,4}than|should we (?:use|choose|pick|switch|migrate|learn)|should (?:the )?(?:maintainers|they|team|project)`,
  String.raw`(?:most|other|frontend|backend) (?:devs|developers|people|companies|teams) (?:think|use|prefer|choose)|how (?:popular|famous|good|fast|slow) (?:is|are)|(?:faster|slower) (?:\w+ ){0,2}than`,
  '(?:que opinas|que piensas|crees que|vale la pena|(?:mejor|peor|mas rapid[oa]) que|recomiendas)',
  '(?:a (?:ton|votre) avis|(?:penses|pensez|que penses)[ -](?:tu|vous)|vaut-il (?:la peine|mieux)|(?:meilleure?|pire|plus rapide) que|recommandes?-tu)',
  '(?:meinst du|was haltst du|was halten sie|lohnt (?:es )?sich|(?:besser|schlechter|schneller|beliebter) als|empfiehlst du|eurer meinung|deiner meinung)',
  // Plans.
  String.raw`road ?map|next (?:year|month|quarter)|(?:any|the|your|what) plans? for|planned (?:for|in)|are planned|is planned|upcoming (?:version|release|feature)s?|future (?:version|release|plan)s?|when will|will (?:there )?be (?:released|supported|a )|(?:who|which|what) (?:\w+ )?will (?:be )?(?:work|add|releas|lead|maintain)\w*|will (?:work on|ever)`,
  '(?:proximo ano|ano que viene|hoja de ruta|planean?|esta previsto|cuando saldra)',
  '(?:annee prochaine|feuille de route|est-il prevu|sont prevues?|quand sortira)',
  '(?:nachstes jahr|nachsten jahr|fahrplan|geplant|wann kommt|wann wird .{1,40} (?:erscheinen|veroffentlicht werden))',
  // Popularity and money.
  String.raw`how many (?:\w+ )?(?:users|people|downloads|stars|companies|customers|sites|websites|followers|installs)|(?:github )?stars\b|starred|number of (?:users|downloads|stars|crates|packages|companies|dependents)|downloads? (?:per|a|last|this)|salar(?:y|ies)|earns?\b|get paid|market share|revenue|how much (?:money|do|does) .{0,40}(?:earn|make|paid|cost)|(?:monthly|weekly|daily) (?:\w+ )?downloads`,
  String.raw`(?:cuant[oa]s (?:usuarios|descargas|estrellas|empresas)|sueldo|salario|ganan?\b)`,
  '(?:combien d.?(?:utilisateurs|e telechargements|etoiles|entreprises)|salaire|gagnent)',
  String.raw`(?:wie viele (?:nutzer|benutzer|downloads|sterne|firmen|leute)|gehalt|verdien\w*)`,
].map((pattern) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})`, 'u'));

/** Reasons are recorded: `why is a list better than a map here`. */
const REASON = /\b(?:why|por que|pourquoi|warum|weshalb|wieso)\b/;

/** True for a question about something that no repository records, such as opinions, plans or numbers of users. */
export function asksOutside(question: string): boolean {
  const text = plainText(question);
  return !REASON.test(text) && OUTSIDE.some((pattern) => pattern.test(text));
}

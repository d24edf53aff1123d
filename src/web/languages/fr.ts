/** Texts that every page shows: path of its file → texts. One script, loaded for readers of this language only. */
export const files = import.meta.glob<Record<string, string>>('../../locales/fr/{ui,shell,parts}.json', {
  eager: true,
  import: 'default',
});

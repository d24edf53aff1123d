/** Every text in this language: path of its file → texts. One script, loaded for readers of this language only. */
export const files = import.meta.glob<Record<string, unknown>>(
  ['../../locales/fr/*.json', '!../../locales/fr/site.json'],
  {
    eager: true,
    import: 'default',
  },
);

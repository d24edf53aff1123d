for (const [name, attribute] of [
  ['theme', 'data-theme'],
  ['language', 'lang'],
]) {
  const value = new RegExp(`(?:^|; )${name}=([a-z]+)`).exec(document.cookie)?.[1];
  if (value) document.documentElement.setAttribute(attribute, value);
}

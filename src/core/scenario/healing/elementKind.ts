// What an element is for its user, however it is written: a `button`, an `input type=submit` and an `a role=button` are one kind.
import type { ElementFingerprint } from './fingerprint.ts';

const byRole: Readonly<Record<string, string>> = {
  button: 'button',
  link: 'link',
  tab: 'tab',
  menuitem: 'menuitem',
  checkbox: 'checkbox',
  switch: 'checkbox',
  menuitemcheckbox: 'checkbox',
  radio: 'radio',
  textbox: 'field',
  searchbox: 'field',
  spinbutton: 'field',
  combobox: 'choice',
  listbox: 'choice',
  slider: 'slider',
  img: 'image',
  heading: 'heading',
};

const byType: Readonly<Record<string, string>> = {
  submit: 'button',
  button: 'button',
  reset: 'button',
  image: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  file: 'file',
  hidden: 'hidden',
  color: 'color',
};

const byTag: Readonly<Record<string, string>> = {
  button: 'button',
  a: 'link',
  select: 'choice',
  textarea: 'field',
  img: 'image',
  svg: 'image',
  label: 'label',
  iframe: 'frame',
  video: 'media',
  audio: 'media',
  canvas: 'canvas',
  table: 'table',
  tr: 'row',
  td: 'cell',
  th: 'cell',
};

/** One word; `text` for what is a piece of running text and `box` for what only holds others. */
export function kindOf(element: ElementFingerprint): string {
  const role = element.role === undefined ? undefined : byRole[element.role];
  if (role !== undefined) return role;
  if (element.tag === 'input') return byType[element.type ?? 'text'] ?? 'field';
  if (/^h[1-6]$/.test(element.tag)) return 'heading';
  return (
    byTag[element.tag] ??
    (/^(?:p|span|strong|b|em|i|small|code|li|dt|dd)$/.test(element.tag) ? 'text' : 'box')
  );
}

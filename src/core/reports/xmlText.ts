// Text made safe for XML, whatever the tests put into it.
import { stripAnsi } from '../failures/stripAnsi.ts';

/** XML 1.0 allows no control characters, lone surrogates or non-characters, not even as references. */
function allowed(text: string): string {
  return stripAnsi(text)
    .replace(/\p{Surrogate}/gu, '�')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g, '');
}

/** Text between tags. */
export const content = (text: string): string =>
  allowed(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');

/** Text between double quotes. */
export const attribute = (text: string): string =>
  content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');

// Runs inside the user's AVA: what a test threw, as AVA passes it on, in the words of the parent process.

/** Of an error of AVA 5 (`values`, `formatted`) or of 6 and newer (`formattedDetails`, `formattedError`). */
export function failureOf(err) {
  if (!err) return { message: 'It failed without giving a reason.' };
  if (err.nonErrorObject || err.type === 'unknown')
    return { message: cut(`thrown: ${plain(err.formatted ?? err.formattedError)}`) };
  const details = (err.formattedDetails ?? err.values ?? []).map(({ label, formatted }) => ({
    label: plain(label),
    text: plain(formatted),
  }));
  const stack = plain(err.stack ?? '');
  const thrown = /^(?:Error thrown in test|Rejected promise returned by test)/.test(err.message);
  if (thrown) return { ...thrownIn(stack, details), stack: stack.slice(-longest) };
  const isAssertion = err.type === 'ava' || err.avaAssertionError === true;
  const difference = details.find(({ label }) => label.startsWith('Difference'));
  const said =
    plain(err.message ?? '') ||
    (err.assertion ? `${err.assertion} failed` : 'It failed without giving a reason.');
  const shown = details.filter((detail) => detail !== difference);
  const compared = difference === undefined ? {} : sides(difference.text);
  return {
    ...(err.name && { name: isAssertion ? 'AssertionError' : plain(err.name) }),
    message: cut(
      [`${said}${inOneLine(said, compared)}`, ...shown.map(({ label, text }) => `${label}\n${text}`)].join(
        '\n',
      ),
    ),
    ...(stack !== '' && { stack: stack.slice(-longest) }),
    ...compared,
  };
}

/** AVA wraps what a test throws: its stack is that of the error itself. */
function thrownIn(stack, details) {
  const end = stack.search(/\n\s+at /);
  const header = /^(?:([\w$.]+(?:Error|Exception)?)(?: \[[^\]\n]*\])?: )?([^]*)$/.exec(
    end < 0 ? '' : stack.slice(0, end),
  );
  const text = details.map((detail) => detail.text).join('\n');
  if (stack.slice(0, end).trim() === 'Error') return { message: cut(`thrown: ${text}`) };
  if (!header?.[1]) return { message: cut(end > 0 ? stack.slice(0, end) : `thrown: ${text}`) };
  return { name: header[1], message: cut(header[2]), ...comparedIn(text) };
}

/** What `node:assert` and the libraries like it compared, as far as it is told on one line. */
function comparedIn(text) {
  const side = (name) => new RegExp(`^ {2}${name}: (.*[^{[\`]),$`, 'm').exec(text)?.[1];
  const [expected, actual] = [side('expected'), side('actual')];
  return expected === undefined || actual === undefined ? {} : { expected, actual };
}

/** A difference is told as one text: `- ` is what was there, `+ ` what was expected, two blanks are both. */
function sides(text) {
  const lines = text.split('\n');
  if (!lines.some((line) => /^[-+] /.test(line))) return {};
  const side = (mark) => {
    const own = lines.filter((line) => line.startsWith(mark) || line.startsWith('  '));
    return cut(own.map((line) => line.slice(2)).join('\n'));
  };
  return { expected: side('+ '), actual: side('- ') };
}

/** A message of AVA's own names no values; two short ones stand behind it. */
function inOneLine(said, { expected, actual }) {
  if (expected === undefined || !/^t\.\w+\(\) failed$/.test(said)) return '';
  const [right, left] = [expected, actual].map((text) =>
    // Of a text over several lines each end of a line is written out, as ␊.
    (text.startsWith('`') ? text.replace(/\n/g, '') : text.replace(/\s*\n\s*/g, ' ')).replace(
      /, ?(?=[}\]]$)/,
      ' ',
    ),
  );
  return left.length + right.length > 120 ? '' : `: expected ${right}, got ${left}`;
}

/** Nobody reads more, and a line of many megabytes would not arrive. */
const longest = 90_000;
function cut(text) {
  const left = text.length - longest;
  const half = longest / 2;
  return left <= 0 ? text : `${text.slice(0, half)}\n… ${left} characters left out …\n${text.slice(-half)}`;
}

const plain = (text) => String(text).replace(/\u001b\[[0-9;]*m/g, '');

/**
 * Pretty printers. They only change white space: parsing and printing JSON again would round large
 * numbers and drop duplicate names.
 */

const STEP = '  ';

/** Indents JSON; null if it is not valid. */
export function prettyJson(text) {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  let depth = 0;
  const line = () => `\n${STEP.repeat(depth)}`;
  return tokens(text)
    .map((token, i, all) => {
      switch (token) {
        case '{':
        case '[':
          if (isEnd(all[i + 1])) {
            return token;
          }
          depth += 1;
          return token + line();
        case '}':
        case ']':
          if (/^[[{]$/.test(all[i - 1])) {
            return token;
          }
          depth -= 1;
          return line() + token;
        case ',':
          return token + line();
        case ':':
          return ': ';
        default:
          return token;
      }
    })
    .join('');
}

const tokens = (text) => text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
const isEnd = (token) => token === '}' || token === ']';

/** Indents XML, one element per line where only white space separates them. */
export function prettyXml(text) {
  let depth = 0;
  return text
    .trim()
    .replace(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => {
      const opens = (line.match(/<[a-z_][^>]*[^/>]>|<[a-z_]>/gi) ?? []).length;
      const closes = (line.match(/<\//g) ?? []).length;
      if (closes > opens) {
        depth = Math.max(0, depth - (closes - opens));
      }
      const laid = STEP.repeat(depth) + line;
      depth += Math.max(0, opens - closes);
      return laid;
    })
    .join('\n');
}

/** Formats a hex dump: offset, sixteen bytes, printable ASCII. */
export function hex(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const numbers = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = row
      .map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.'))
      .join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${numbers.padEnd(47)}  ${ascii}`);
  }
  return lines.join('\n');
}

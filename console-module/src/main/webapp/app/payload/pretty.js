/**
 * Payloads laid out to be read. What is written in them stays as it is, to the last digit: JSON is not
 * parsed and printed again, which would change large numbers and lose repeated names.
 */

const STEP = '  ';

/** JSON in lines, or null when it is none. */
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

/** XML with each element on a line of its own, where there is nothing but space between them. */
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

/** Bytes as people read dumps: where, sixteen of them, and as letters. */
export function hex(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const numbers = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const letters = row
      .map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.'))
      .join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${numbers.padEnd(47)}  ${letters}`);
  }
  return lines.join('\n');
}

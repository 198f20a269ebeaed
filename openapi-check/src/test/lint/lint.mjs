// Usage: node lint.mjs <document>. Prints what Redocly's recommended rules find, warnings included; ends with 1 if there is any.
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.NODE_MODULES}/`);
const { createConfig, formatProblems, getTotals, lint } = require('@redocly/openapi-core');

// These refuse nobody, so they have no answer for a client that is wrong.
const OPEN = ['/healthz', '/metrics', '/readyz'].map((path) => `#/paths/~1${path.slice(1)}/`);

function isMeant({ ruleId, location: [{ pointer }] }) {
  return ruleId === 'operation-4xx-response' && OPEN.some((open) => pointer.startsWith(open));
}

const config = await createConfig({
  extends: ['recommended'],
  rules: { 'no-required-schema-properties-undefined': 'error' },
});
const problems = (await lint({ ref: process.argv[2], config })).filter((one) => !isMeant(one));
formatProblems(problems, { format: 'stylish', totals: getTotals(problems), version: '' });
process.exitCode = problems.length === 0 ? 0 : 1;

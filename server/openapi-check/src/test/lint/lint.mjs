// Usage: node lint.mjs <directory of WebJars> <document>
// Prints what Redocly's recommended rules find, warnings included; exits with 1 if there is anything.
import { readdirSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { resolve } from 'node:path';

const [webjars, document] = process.argv.slice(2);

// A WebJar keeps the package @scope/name in scope__name/<version>.
const packages = new Map(
  readdirSync(webjars).map((jar) => {
    const [version] = readdirSync(resolve(webjars, jar));
    return [jar.replace(/^(.+)__/, '@$1/'), resolve(webjars, jar, version)];
  }),
);

function located(specifier) {
  const [name] = /^(@[^/]+\/)?[^/]*/.exec(specifier);
  const directory = packages.get(name);
  return directory === undefined ? specifier : directory + specifier.slice(name.length);
}

registerHooks({ resolve: (specifier, context, next) => next(located(specifier), context) });

const require = createRequire(import.meta.url);
const { createConfig, formatProblems, getTotals, lint } = require('@redocly/openapi-core');

// These calls refuse nobody, so they document no 4xx.
const OPEN = ['/healthz', '/metrics', '/readyz'].map((path) => `#/paths/~1${path.slice(1)}/`);

function isMeant({ ruleId, location: [{ pointer }] }) {
  return ruleId === 'operation-4xx-response' && OPEN.some((open) => pointer.startsWith(open));
}

const config = await createConfig({
  extends: ['recommended'],
  rules: {
    'no-required-schema-properties-undefined': 'error',
    'rule/contact-without-content': {
      subject: { type: 'Contact' },
      assertions: { requireAny: ['name', 'url', 'email'] },
    },
  },
});
const problems = (await lint({ ref: document, config })).filter((one) => !isMeant(one));
formatProblems(problems, { format: 'stylish', totals: getTotals(problems), version: '' });
process.exitCode = problems.length === 0 ? 0 : 1;

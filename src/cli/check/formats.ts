import { VERSION } from '../../platform/build.ts';
import { counted, printable } from '../table.ts';
import type { Checked, CheckProblem } from './look.ts';

/** How what was found is told: to people, to programs, and to the services that show it beside the code. */
export const FORMATS: Readonly<Record<string, (checked: Checked) => string>> = { text, json, github, sarif, junit };

export function problemsIn({ parts }: Checked): readonly CheckProblem[] {
  return parts.flatMap(({ problems }) => problems);
}

const placeOf = ({ file, line }: CheckProblem): string =>
  file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}`;

function sumOf(checked: Checked): string {
  const problems = problemsIn(checked);
  const errors = problems.filter(({ level }) => level === 'error').length;
  const looked = `${counted(checked.rules, 'rule')} with ${counted(checked.examples, 'example')}`;
  return `${looked}: ${counted(errors, 'error')}, ${counted(problems.length - errors, 'warning')}`;
}

/** No line begins with words of the repository: in some logs such a line could be a command. */
function text(checked: Checked): string {
  const lines = problemsIn(checked).map((problem) => {
    const [first = '', ...more] = printable(problem.text).split('\n');
    const head = [problem.level.padEnd(7), placeOf(problem), problem.about].filter((part) => part !== '').join('  ');
    return [`${head}: ${first}`, ...more.map((line) => `       | ${line}`), ''].join('\n');
  });
  return `${lines.join('')}${sumOf(checked)}\n`;
}

function json(checked: Checked): string {
  const { rules, examples, parts } = checked;
  const problems = problemsIn(checked);
  const passed = problems.every(({ level }) => level !== 'error');
  return `${JSON.stringify({ passed, rules, examples, checked: parts.map(({ name }) => name), problems }, null, 2)}\n`;
}

/** Commands in the log of GitHub Actions, which it shows at the line. */
function github(checked: Checked): string {
  const data = (value: string) => value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (value: string) => data(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const lines = problemsIn(checked).map(({ level, about, text: said, file, line }) => {
    const properties = [
      ...(file === undefined ? [] : [`file=${property(file)}`]),
      ...(line === undefined ? [] : [`line=${line}`]),
      `title=${property(`fairlead: ${about}`)}`,
    ];
    return `::${level} ${properties.join(',')}::${data(printable(said))}\n`;
  });
  return `${lines.join('')}${sumOf(checked)}\n`;
}

const SARIF = 'https://json.schemastore.org/sarif-2.1.0.json';

function sarif(checked: Checked): string {
  const problems = problemsIn(checked);
  const rules = [...new Set(problems.map(({ about }) => about))].map((id) => ({ id }));
  const results = problems.map(({ level, about, text: said, file, line }) => ({
    ruleId: about,
    level,
    message: { text: said },
    ...(file !== undefined && {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: encodeURI(file), uriBaseId: '%SRCROOT%' },
            region: { startLine: line ?? 1 },
          },
        },
      ],
    }),
  }));
  const run = { tool: { driver: { name: 'fairlead', version: VERSION, rules } }, results };
  return `${JSON.stringify({ $schema: SARIF, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** A case for each rule and each part; warnings stand beside them as output. */
function junit({ parts }: Checked): string {
  // Control characters have no spelling in XML.
  const escape = (value: string) => printable(value).replaceAll(/[&<>"']/g, (char) => XML[char] ?? char);
  const failed = parts.filter(({ problems }) => problems.some(({ level }) => level === 'error'));
  const cases = parts.map(({ name, problems }) => {
    const said = problems.map((problem) => {
      const place = placeOf(problem);
      const whole = escape(`${place === '' ? '' : `${place}: `}${problem.text}`);
      if (problem.level === 'warning') return `    <system-out>${whole}</system-out>\n`;
      return `    <failure message="${escape(problem.text.split('\n', 1)[0] ?? '')}">${whole}</failure>\n`;
    });
    return `  <testcase classname="fairlead" name="${escape(name)}">\n${said.join('')}  </testcase>\n`;
  });
  const suite = `<testsuite name="fairlead" tests="${parts.length}" failures="${failed.length}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suite}\n${cases.join('')}</testsuite>\n`;
}

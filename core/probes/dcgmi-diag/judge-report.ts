import type { ResultCollector } from '../text/result-collector';
import { readInfoNumbers } from './info-numbers';
import type { DiagReport, EntityResult, Info, Message, Status, TestResult } from './model';

/** A failure of the tool, not of a GPU: the test did not come to a result. */
const TOOL_ERROR = /internal error|child process|couldn't be parsed|could not be parsed|cannot load plugin|unable to load|failed to load|No such file/i;

const isDeployment = ({ category, name }: TestResult): boolean => /^deployment$/i.test(category) || name.toLowerCase() === 'software';

/** Turns a report into measurements and reasons; see the outcome rules in each step. */
export function judgeReport(report: DiagReport, collector: ResultCollector): void {
  const { version, driver, tests, runtimeError, unknownStatuses } = report;
  if (version) collector.measure({ metric: 'dcgm.version', value: version.text, line: version.line });
  if (driver !== undefined) collector.context['driverVersion'] = driver;
  collector.context['level'] = levelOf(tests);
  collector.context['tests'] = tests.map(({ name }) => name);
  if (runtimeError) collector.doubt('dcgm.diag.runtime-error', `The diagnostic ended early: ${runtimeError.text.trim().slice(0, 300)}`, runtimeError.line);
  for (const { text, line } of unknownStatuses) collector.doubt('dcgm.diag.unknown-status', `A test has the result "${text.slice(0, 60)}", which cannot be read whole.`, line);
  for (const test of tests) judgeTest(test, collector);
  checkThatHardwareRan(tests, collector);
}

/** The highest level that has one of the tests that ran (nvvs/src/NvidiaValidationSuite.cpp). */
function levelOf(tests: readonly TestResult[]): number {
  const names = tests.map(({ name }) => name.toLowerCase().replace(/[\s_]+/g, ' '));
  const has = (...wanted: string[]): boolean => names.some((name) => wanted.includes(name));
  if (has('memtest', 'pulse test')) return 4;
  if (has('diagnostic', 'targeted stress', 'targeted power', 'memory bandwidth', 'nvbandwidth', 'sm stress', 'nccl tests', 'eud')) return 3;
  return has('memory', 'gpu memory', 'pcie') ? 2 : 1;
}

function judgeTest(test: TestResult, collector: ResultCollector): void {
  const whole = test.status ?? worst(test.results.map(({ status }) => status));
  const messages = [...test.messages, ...test.results.flatMap((result) => result.messages)];
  if (whole !== undefined) {
    const status = refine(whole, test, messages);
    collector.measure({ metric: 'dcgm.diag.status', value: status, labels: { test: test.name }, line: test.line });
    report(test, undefined, status, messages, collector, test.line);
  } else {
    collector.doubt('dcgm.diag.no-result', `The test ${test.name} has no result.`, test.line);
  }
  for (const result of test.results) judgeEntity(test, result, collector);
  for (const info of test.info) measureInfo(test, undefined, info, collector);
}

function judgeEntity(test: TestResult, result: EntityResult, collector: ResultCollector): void {
  const name = result.gpu === undefined ? result.entity : undefined;
  const labels = { test: test.name, ...(result.gpu === undefined ? {} : { gpu: result.gpu }), ...(name === undefined ? {} : { entity: name }) };
  const messages = messagesOf(result, test);
  const status = refine(result.status, test, messages);
  if (Object.keys(labels).length > 1) collector.measure({ metric: 'dcgm.diag.status', value: status, labels, line: result.line });
  report(test, result.gpu === undefined ? name : `GPU ${result.gpu}`, status, messages, collector, result.line);
  for (const info of result.info) measureInfo(test, result.gpu, info, collector);
}

/** Older versions give the messages of all GPUs to the test; most of them begin with the GPU. A pass has no share in them. */
function messagesOf({ gpu, status, messages }: EntityResult, test: TestResult): readonly Message[] {
  if (messages.length > 0 || status === 'pass') return messages;
  const named = new RegExp(`^\\s*GPU ?${gpu}\\b`, 'i');
  const own = gpu === undefined ? [] : test.messages.filter(({ text }) => named.test(text));
  return own.length > 0 ? own : test.messages;
}

type Refined = Exclude<Status, 'warn'> | 'config';

/** A finding about the configuration is not a broken GPU; the same machine state gives Fail, Warn or Pass by version. */
function refine(status: Status, test: TestResult, messages: readonly Message[]): Refined {
  if (status === 'warn') return isConfiguration(test, messages) ? 'config' : 'fail';
  return status === 'fail' && isConfiguration(test, messages) ? 'config' : status;
}

const CONFIGURATION_SEVERITY = 5;

function isConfiguration(test: TestResult, messages: readonly Message[]): boolean {
  if (/^persistence mode$/i.test(test.name)) return true;
  if (messages.length === 0) return false;
  return messages.every(({ severity, text }) => (severity === undefined ? /^\s*Persistence Mode:|persistence mode .*(disabled|is off)/i.test(text) : severity === CONFIGURATION_SEVERITY));
}

function report(test: TestResult, where: string | undefined, status: Refined, messages: readonly Message[], collector: ResultCollector, line: number): void {
  const subject = where === undefined ? `The test ${test.name}` : `The test ${test.name} on ${where}`;
  const said = messages[0]?.text.replace(/\s+/g, ' ').trim().slice(0, 400);
  const because = said ? `: ${said}` : '.';
  if (status === 'config') return collector.remark('warning', 'dcgm.diag.config', `${subject} found a configuration that DCGM does not like${because}`, line);
  if (status === 'fail') {
    const isToolError = messages.length > 0 && messages.every(({ text }) => TOOL_ERROR.test(text));
    if (isToolError) return collector.doubt('dcgm.diag.tool-error', `${subject} ended by an internal error of the tool, which says nothing about the GPU. Run it again, outside a job${because}`, line);
    return collector.fault('dcgm.diag.fail', `${subject} failed${because}`, line);
  }
  if (status === 'skip' || status === 'not-run') {
    return collector.remark('warning', `dcgm.diag.${status}`, `${subject} was ${status === 'skip' ? 'skipped' : 'not run'}: it proves nothing.`, line);
  }
  const error = messages.find(({ errorId, severity }) => errorId !== undefined && errorId !== 0 && severity !== CONFIGURATION_SEVERITY);
  if (error) collector.doubt('dcgm.diag.pass-with-error', `${subject} passed but recorded an error: ${error.text.slice(0, 300)}`, line);
  return undefined;
}

function measureInfo(test: TestResult, gpu: string | undefined, { text, line }: Info, collector: ResultCollector): void {
  for (const { name, value, unit, gpu: own } of readInfoNumbers(text)) {
    const index = own ?? gpu;
    collector.measure({ metric: 'dcgm.diag.value', value, unit, labels: { test: test.name, name, ...(index === undefined ? {} : { gpu: index }) }, line });
  }
}

/** Level 1 has software checks alone. Where hardware tests were asked for, at least one must have run. */
function checkThatHardwareRan(tests: readonly TestResult[], collector: ResultCollector): void {
  const hardware = tests.filter((test) => !isDeployment(test));
  const ran = (test: TestResult): boolean => [test.status, ...test.results.map(({ status }) => status)].some((status) => status === 'pass' || status === 'fail' || status === 'warn');
  if (hardware.length > 0 && !hardware.some(ran)) collector.doubt('dcgm.diag.all-skipped', 'Every hardware test was skipped, so nothing was proved about the GPUs.', hardware[0]!.line);
  if (tests.length > 0 && hardware.length === 0 && !tests.some(ran)) collector.doubt('dcgm.diag.all-skipped', 'Every test was skipped, so nothing was proved.', tests[0]!.line);
}

const ORDER: readonly Status[] = ['fail', 'warn', 'not-run', 'skip', 'pass'];
const worst = (statuses: readonly Status[]): Status | undefined => ORDER.find((status) => statuses.includes(status));

import { asArray, asObject, asText, type JsonDocument, type JsonObject } from '../text/json-documents';
import { type DiagReport, type EntityResult, type Info, type Message, readStatus, type TestResult } from './model';

/**
 * The JSON of `dcgmi diag -j` in its three shapes: 2.x to 3.1, 3.3, 4.x, and with `--iterations` several of them in a list
 * (dcgmi/Diag.cpp). Empty for any other object.
 */
export function readJsonReports({ value, lineOf }: JsonDocument): DiagReport[] {
  const outer = asObject(value);
  const rounds = asArray(outer?.['iterations']).map((item) => readJsonReport(asObject(item), lineOf) ?? withoutReport(lineOf(item)));
  return rounds.length > 0 ? rounds : [readJsonReport(outer, lineOf)].filter((report) => report !== undefined);
}

type LineOf = JsonDocument['lineOf'];

const withoutReport = (line: number): DiagReport => ({ tests: [], unknownStatuses: [], runtimeError: { text: 'an iteration holds no report.', line } });

function readJsonReport(outer: JsonObject | undefined, lineOf: LineOf): DiagReport | undefined {
  const root = asObject(outer?.['DCGM Diagnostic']) ?? asObject(outer?.['DCGM GPU Diagnostic']);
  if (!outer || !root) return undefined;
  const metadata = asObject(outer['metadata']) ?? asObject(root['metadata']) ?? root;
  const report: DiagReport = { tests: [], unknownStatuses: [] };
  const version = asText(metadata['version']);
  const driver = asText(metadata['Driver Version Detected']);
  if (version !== undefined) report.version = { text: version, line: lineOf(metadata) };
  if (driver !== undefined) report.driver = driver;
  const failed = [root, outer].find((holder) => asText(holder['runtime_error']) !== undefined);
  if (failed) report.runtimeError = { text: asText(failed['runtime_error'])!, line: lineOf(failed) };
  const holders = [root, ...asArray(root['iterations']).map(asObject).filter((item) => item !== undefined)];
  for (const category of holders.flatMap((holder) => asArray(holder['test_categories']))) {
    const name = asText(asObject(category)?.['category']) ?? '';
    for (const test of asArray(asObject(category)?.['tests'])) readTest(report, name, asObject(test), lineOf);
  }
  return report;
}

function readTest(report: DiagReport, category: string, test: JsonObject | undefined, lineOf: LineOf): void {
  const name = asText(test?.['name']);
  if (!test || name === undefined) return;
  const line = lineOf(test);
  const summary = asObject(test['test_summary']);
  const result: TestResult = { name, category, messages: readMessages(summary?.['warnings']), info: readInfo(summary?.['info'], lineOf(summary)), results: [], line };
  const status = summary && statusOf(report, summary, lineOf(summary));
  if (status) result.status = status;
  for (const item of asArray(test['results'])) readResult(report, result, asObject(item), lineOf);
  report.tests.push(result);
}

function readResult(report: DiagReport, test: TestResult, item: JsonObject | undefined, lineOf: LineOf): void {
  if (!item) return;
  const line = lineOf(item);
  const status = statusOf(report, item, line);
  if (!status) return;
  const shared = { status, messages: readMessages(item['warnings'] ?? item['warning']), info: readInfo(item['info'], line), line };
  const group = asText(item['entity_group']);
  const id = asText(item['entity_id']);
  const gpus = (group === undefined || group === 'GPU' ? (id ?? asText(item['gpu_id']) ?? asText(item['gpu_ids'])) : undefined)?.split(/[,\s]+/).filter((part) => part !== '');
  if (gpus && gpus.length > 0) test.results.push(...gpus.map((gpu): EntityResult => ({ gpu, ...shared })));
  else if (group !== undefined && group !== 'GPU') test.results.push({ entity: `${group} ${id ?? ''}`.trim(), ...shared });
  else if (test.status === undefined) {
    // Deployment tests of the older shapes: one result for the whole machine.
    test.status = status;
    test.messages.push(...shared.messages);
    test.info.push(...shared.info);
  } else test.results.push(shared);
}

function statusOf(report: DiagReport, holder: JsonObject, line: number): TestResult['status'] {
  const text = asText(holder['status']);
  if (text === undefined) return undefined;
  const status = readStatus(text);
  if (!status) report.unknownStatuses.push({ text, line });
  return status;
}

function readMessages(value: unknown): Message[] {
  const items = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return items.flatMap((item): Message[] => {
    if (typeof item === 'string') return item.trim() === '' ? [] : [{ text: item }];
    const object = asObject(item);
    const text = asText(object?.['warning']) ?? asText(object?.['warnings']);
    if (!object || text === undefined) return [];
    const severity = object['error_severity'];
    const errorId = object['error_id'];
    return [{ text, ...(typeof severity === 'number' ? { severity } : {}), ...(typeof errorId === 'number' ? { errorId } : {}) }];
  });
}

function readInfo(value: unknown, line: number): Info[] {
  const texts = typeof value === 'string' ? [value] : asArray(value).flatMap((item) => asText(item) ?? []);
  return texts.map((text) => ({ text, line }));
}

import { dirname, join, normalize, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { CONFIG_FILE, readConfig, type SeverityMap } from '../core/checks/config';
import type { FileProvider } from '../core/checks/files';
import { toJson } from '../core/checks/formats/json';
import { countOf, type FileReport } from '../core/checks/formats/report';
import { toSarif } from '../core/checks/formats/sarif';
import { summary, toText } from '../core/checks/formats/text';
import { RULES } from '../core/checks/generated';
import { isManifestFile, manifestsOf } from '../core/checks/manifests';
import { checkFile, kindOfFileName } from '../core/checks/run';
import { fileState, listFolder, pathsUpwards, readTextFile } from '../core/document/disk';
import { SourceFile } from '../core/document/source';
import { EXIT_OK, EXIT_REJECTED, UsageError } from './exit';
import { readText } from './files';
import { TOOL_VERSION } from './version';

interface CheckFlags {
  format: 'text' | 'json' | 'sarif';
}

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description('Check briefs, cards and the Kubernetes manifests that they name.')
    .argument('<files...>', 'briefs, cards or manifests')
    .addOption(new Option('--format <format>', 'form of the findings').choices(['text', 'json', 'sarif']).default('text'))
    .action(checkCommand);
}

function checkCommand(files: string[], { format }: CheckFlags): void {
  const reports = withNamedManifests(files).map(({ file, isManifest }) => checkOne(file, isManifest));
  const output = format === 'json' ? toJson(reports) : format === 'sarif' ? toSarif(reports, RULES, TOOL_VERSION) : toText(reports);
  process.stdout.write(output);
  process.stderr.write(`${summary(reports)}\n`);
  process.exitCode = countOf(reports, 'error') > 0 ? EXIT_REJECTED : EXIT_OK;
}

interface Input {
  file: string;
  isManifest: boolean;
}

/** The given files, and behind each card the manifests that it names; each file once. */
function withNamedManifests(files: readonly string[]): Input[] {
  const inputs = new Map<string, Input>();
  for (const file of files) {
    const source = new SourceFile(readText(file));
    inputs.set(normalize(file), { file, isManifest: isManifestFile(source) });
    for (const named of manifestsOf(source)) {
      const path = join(dirname(file), named);
      // One that is missing is a finding of the card.
      if (!inputs.has(path) && fileState(path) === 'present') inputs.set(path, { file: path, isManifest: true });
    }
  }
  return [...inputs.values()];
}

function checkOne(file: string, isManifest: boolean): FileReport {
  const source = new SourceFile(readText(file));
  const isOurs = isManifest || kindOfFileName(file) !== undefined || source.documents.some(({ kind }) => kind !== undefined);
  const hasSyntaxError = source.problems.length > 0 || source.documents.some(({ problems }) => problems.length > 0);
  if (!isOurs && !hasSyntaxError) throw new UsageError(`${file} holds no brief, card or manifest: no document has "kind: WorkloadBrief" or "kind: AcceptanceCard".`);
  const report = checkFile(source, { files: filesBeside(file), fileName: file, severity: severityFor(file), isManifest: isManifest || !isOurs });
  const [broken] = report.failures;
  if (broken) throw new Error(`The check ${broken.rule} broke on ${file}: ${broken.error instanceof Error ? broken.error.message : String(broken.error)}. Switch it off in ${CONFIG_FILE} and report it.`);
  return { file, source, report };
}

function filesBeside(file: string): FileProvider {
  const pathOf = (path: string): string => join(dirname(file), path);
  return { state: (path) => fileState(pathOf(path)), readText: (path) => readTextFile(pathOf(path)), list: (folder) => listFolder(pathOf(folder)) };
}

/** A fault in the configuration would silently change what is checked, so it ends the command. */
function severityFor(file: string): SeverityMap {
  const path = pathsUpwards(resolve(dirname(file)), CONFIG_FILE).find((candidate) => fileState(candidate) === 'present');
  if (path === undefined) return {};
  const { severity, problems } = readConfig(readText(path));
  if (problems[0] !== undefined) throw new UsageError(`${path}: ${problems[0]}`);
  return severity;
}

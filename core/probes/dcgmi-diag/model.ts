/** What every version and form of `dcgmi diag` output is brought into. */

export type Status = 'pass' | 'fail' | 'skip' | 'not-run' | 'warn';

export interface Message {
  text: string;
  /** DCGM 3.3 and newer: 5 is a configuration finding. */
  severity?: number;
  errorId?: number;
}

/** A line of information, with numbers or not. */
export interface Info {
  text: string;
  line: number;
}

export interface EntityResult {
  /** Index of the GPU; absent for other entities. */
  gpu?: string;
  /** For example `CPU 0`. */
  entity?: string;
  status: Status;
  messages: Message[];
  info: Info[];
  line: number;
}

export interface TestResult {
  name: string;
  category: string;
  /** Status of the test as a whole, where the tool gives one. */
  status?: Status;
  messages: Message[];
  info: Info[];
  results: EntityResult[];
  line: number;
}

export interface DiagReport {
  version?: { text: string; line: number };
  driver?: string;
  tests: TestResult[];
  /** The whole diagnostic ended early. */
  runtimeError?: { text: string; line: number };
  /** Results that could not be read, or not whole. */
  unknownStatuses: { text: string; line: number }[];
}

export function readStatus(text: string): Status | undefined {
  switch (text.trim().toLowerCase()) {
    case 'pass':
    case 'passed':
      return 'pass';
    case 'fail':
    case 'failed':
      return 'fail';
    case 'skip':
    case 'skipped':
      return 'skip';
    // DCGM 4 prints nothing for a test that did not run.
    case '':
    case 'not run':
    case 'notrun':
      return 'not-run';
    case 'warn':
    case 'warning':
      return 'warn';
    default:
      return undefined;
  }
}

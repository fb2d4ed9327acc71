/** What every version and form of `dcgmi diag` output is brought into. */

export type Status = 'pass' | 'fail' | 'skip' | 'not-run' | 'warn';

export interface Message {
  text: string;
  /** DCGM 3.3 and newer: 5 is a configuration finding. */
  severity?: number;
  errorId?: number;
}

export interface EntityResult {
  /** Index of the GPU; absent for other entities. */
  gpu?: string;
  /** For example `CPU 0`. */
  entity?: string;
  status: Status;
  messages: Message[];
  info: string[];
  line: number;
}

export interface TestResult {
  name: string;
  category: string;
  /** Status of the test as a whole, where the tool gives one. */
  status?: Status;
  messages: Message[];
  info: string[];
  results: EntityResult[];
  line: number;
}

export interface DiagReport {
  version?: string;
  driver?: string;
  tests: TestResult[];
  /** The whole diagnostic ended early. */
  runtimeError?: { text: string; line: number };
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

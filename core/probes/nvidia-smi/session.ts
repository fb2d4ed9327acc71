import type { ParserOptions, ParseResult, ProbeDefinition, StreamEnd } from '../contract';
import { stripAnsi } from '../text/ansi';
import { ResultCollector } from '../text/result-collector';
import { readErrorText } from './errors';
import { judgeExit } from './exit-codes';

/** A pasted shell prompt with the command itself: `$ nvidia-smi -L`, `[root@node ~]# nvidia-smi topo -m`, `(base) me@host:~$ sudo nvidia-smi`. */
const PROMPT = /^\s*(?:(?:\S.{0,100}?)?[$#>%❯➜]\s*)?(?:sudo\s+)?(?:\/\S*\/)?nvidia-smi(?:\.exe)?(?:\s+-|\s+topo|\s+nvlink|\s*$)/;
/** The prompt behind the output: `root@node:~#`, `[root@node ~]#`, `$`. */
const BARE_PROMPT = /^\s*(?:(?:\(\S+\) ?)?\[?[\w.-]+@[\w.-]+[: ][^\s\]]*\]?)?[$#]\s*$/;
const LIBRARY_VERSION = /^NVML library version:\s*(\S+)/;

/** What the parsers of all nvidia-smi outputs share: cleaning, error texts, standard error, exit code. */
export class SmiSession {
  readonly collector: ResultCollector;

  constructor(probe: Pick<ProbeDefinition, 'id' | 'parser'>, options: ParserOptions = {}) {
    this.collector = new ResultCollector(probe, options);
  }

  /** The line without terminal escapes and trailing blanks that carry no cell (tabs stay). */
  clean(text: string): string {
    return stripAnsi(text).replace(/ +$/, '');
  }

  /** For every line that is not data: a known text, or a doubt, because an unread line may be a damaged data line. */
  other(text: string, line?: number): void {
    if (text.trim() === '' || PROMPT.test(text) || BARE_PROMPT.test(text)) return;
    const library = LIBRARY_VERSION.exec(text);
    if (library) {
      this.collector.context['nvmlLibraryVersion'] = library[1] ?? '';
      return;
    }
    if (readErrorText(text, this.collector, line)) return;
    this.collector.doubt('nvidia-smi.unknown-line', `This line is not part of a known output: ${JSON.stringify(text.trim().slice(0, 120))}.`, line);
  }

  end(end: StreamEnd): ParseResult {
    for (const text of (end.stderr ?? '').split('\n')) this.standardError(text);
    judgeExit(end, this.collector);
    return this.collector.result();
  }

  private standardError(text: string): void {
    const clean = stripAnsi(text).trim();
    if (clean === '' || readErrorText(clean, this.collector)) return;
    this.collector.remark('info', 'nvidia-smi.stderr', `Standard error: ${clean.slice(0, 200)}`);
  }
}

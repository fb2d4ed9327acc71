import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MetricsServer } from '../demo-host/metrics-server';
import { Sandbox, toolsEntry } from '../demo-host/sandbox';
import { type ScenarioName, SCENARIOS } from '../demo-host/scenarios';
import { writeDemoWorkspace } from '../demo-host/workspace';
import { ROOT } from '../cli/command-line';
import { Sshd } from './sshd';

const SEED = 3;
const SPEED = 8;

/** A real sshd whose sessions find the demo machine's programs first on their PATH, with a vLLM server beside it. */
export class GpuMachine {
  private constructor(
    readonly sshd: Sshd,
    private readonly sandbox: Sandbox,
    private readonly metrics: MetricsServer,
    private readonly metricsPort: number,
    /** Runs and the copy of the examples. */
    readonly folder: string,
  ) {}

  static async start(scenario: ScenarioName): Promise<GpuMachine> {
    const sandbox = new Sandbox(toolsEntry(ROOT));
    const metrics = new MetricsServer(SCENARIOS[scenario], SEED, SPEED);
    const metricsPort = await metrics.listen();
    const sshd = await Sshd.start(sandbox.environment(scenario, SEED, SPEED));
    return new GpuMachine(sshd, sandbox, metrics, metricsPort, mkdtempSync(join(tmpdir(), 'gpu-acceptance-machine-')));
  }

  /** In the command line of every process that a probe of this machine started. */
  get processMark(): string {
    return this.sandbox.folder;
  }

  get runsFolder(): string {
    return join(this.folder, 'runs');
  }

  /** Arguments of `run` for the example card on this machine, reached over `port`. */
  runArguments(port = this.sshd.port): string[] {
    this.sshd.trust(port);
    const { user, identityFile } = this.sshd.endpoint;
    const { inferenceCard } = writeDemoWorkspace(ROOT, join(this.folder, 'workspace'), { port, user, identityFile: identityFile!, checkpoints: this.sandbox.checkpoints });
    writeFileSync(inferenceCard, readFileSync(inferenceCard, 'utf8').replace('port: 8000', `port: ${this.metricsPort}`));
    return ['run', inferenceCard, '--yes', '--allow-invasive', '--known-hosts', this.sshd.knownHostsFile, '--out', this.runsFolder, '--format', 'json'];
  }

  async dispose(): Promise<void> {
    await this.sshd.dispose();
    await this.metrics.close();
    this.sandbox.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

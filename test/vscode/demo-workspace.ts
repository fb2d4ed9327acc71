import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageExtension, root } from '../../scripts/setup.mjs';
import { DemoHost } from '../demo-host/host';
import type { ScenarioName } from '../demo-host/scenarios';
import { writeDemoWorkspace } from '../demo-host/workspace';
import { Editor } from './editor';

let packaged: string | undefined;
/** The extension as its users get it, packaged once for all tests. */
export const vsix = (): string => (packaged ??= packageExtension());

export interface DemoSetup {
  host: DemoHost;
  editor: Editor;
  workspace: string;
  /** Where the workspace keeps its runs. */
  runsFolder: string;
  dispose(): Promise<void>;
}

export interface DemoSetupOptions {
  scenario: ScenarioName;
  speed?: number;
  theme?: string;
  knownHosts?: 'verified' | 'empty';
}

/** A demo host and a VS Code with the packaged extension, opened on a copy of the examples that names this host. */
export async function startDemo({ scenario, speed = 3, theme = 'Default Dark Modern', knownHosts = 'verified' }: DemoSetupOptions): Promise<DemoSetup> {
  const workspace = mkdtempSync(join(tmpdir(), 'gpu-acceptance-workspace-'));
  const host = await DemoHost.start({ root, scenario, speed, knownHosts });
  writeDemoWorkspace(root, workspace, host.address);
  const editor = await Editor.start({
    workspace,
    vsix: vsix(),
    userSettings: { 'workbench.colorTheme': theme },
    machineSettings: { 'gpuAcceptance.knownHostsFiles': [host.address.knownHostsFile] },
  });
  return {
    host,
    editor,
    workspace,
    runsFolder: join(workspace, '.gpu-acceptance', 'runs'),
    dispose: async () => {
      await editor.dispose();
      await host.stop();
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIGURATION, COMMANDS, INTERNAL_COMMANDS, LANGUAGES, PANEL_TYPE, RUNNING_COMMANDS, VIEWS } from './ids';

interface Manifest {
  activationEvents: string[];
  contributes: {
    commands: { command: string; title: string; enablement?: string }[];
    menus: Record<string, { command: string; when?: string }[]>;
    languages: { id: string }[];
    grammars: { language: string }[];
    views: Record<string, { id: string }[]>;
    configuration: { properties: Record<string, { markdownDescription?: string; scope?: string; default?: unknown }> };
  };
}

const read = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, '..', name), 'utf8'));
const manifest = read('package.json') as Manifest;
const texts = read('package.nls.json') as Record<string, string>;
const { commands, menus, languages, grammars, views, configuration } = manifest.contributes;

describe('the manifest', () => {
  it('contributes the commands of the code, and no other', () => {
    expect(commands.map(({ command }) => command).sort()).toEqual(Object.values(COMMANDS).sort());
  });

  it('offers no command that needs an argument in the palette, and none that runs before the workspace is trusted', () => {
    const palette = new Map(menus['commandPalette']!.map(({ command, when }) => [command, when]));
    for (const command of INTERNAL_COMMANDS) expect(palette.get(command), command).toBe('false');
    for (const command of RUNNING_COMMANDS) {
      expect(palette.get(command), command).toContain('isWorkspaceTrusted');
      expect(commands.find((contributed) => contributed.command === command)?.enablement).toContain('isWorkspaceTrusted');
    }
  });

  it('names only its own commands in menus', () => {
    const known = new Set<string>(Object.values(COMMANDS));
    expect(Object.values(menus).flat().filter(({ command }) => !known.has(command))).toEqual([]);
  });

  it('contributes the languages, views and the page of the code', () => {
    expect(languages.map(({ id }) => id).sort()).toEqual(Object.values(LANGUAGES).sort());
    expect(grammars.map(({ language }) => language).sort()).toEqual(Object.values(LANGUAGES).sort());
    expect(Object.values(views).flat().map(({ id }) => id).sort()).toEqual(Object.values(VIEWS).sort());
    expect(manifest.activationEvents).toContain(`onWebviewPanel:${PANEL_TYPE}`);
  });

  it('describes every setting with a default and a scope', () => {
    for (const [name, setting] of Object.entries(configuration.properties)) {
      expect(name.startsWith(`${CONFIGURATION}.`)).toBe(true);
      expect(setting, name).toMatchObject({ markdownDescription: expect.any(String), scope: expect.any(String) });
      expect(setting.default, name).toBeDefined();
    }
  });

  it('has a text for every key, and no text that nothing shows', () => {
    const wanted = [...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key!);
    expect([...new Set(wanted)].sort()).toEqual(Object.keys(texts).sort());
  });
});

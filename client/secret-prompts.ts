import { l10n, type SecretStorage, ThemeIcon, window } from 'vscode';

/** Passwords and passphrases of one run: typed, or taken from the editor's secret storage when the user had them kept there. */
export class SecretPrompts {
  /** What was given in this run, under its key in the storage. */
  private readonly given = new Set<string>();

  constructor(private readonly storage: SecretStorage) {}

  /** Undefined when the user gave none. */
  async ask(key: string, title: string): Promise<string | undefined> {
    this.given.add(key);
    const stored = await this.storage.get(key);
    if (stored !== undefined) return stored;
    const answer = await inputSecret(title);
    if (answer?.isKept) await this.storage.store(key, answer.value);
    return answer?.value;
  }

  /** A secret that does not work would otherwise be given to every run to come, and nobody asked for a better one. */
  async forget(kind: string): Promise<void> {
    await Promise.all([...this.given].filter((key) => key.startsWith(`${kind}:`)).map((key) => this.storage.delete(key)));
  }
}

function inputSecret(title: string): Promise<{ value: string; isKept: boolean } | undefined> {
  return new Promise((resolve) => {
    const input = window.createInputBox();
    const keep = { iconPath: new ThemeIcon('save'), tooltip: l10n.t('Use it and keep it in the secret storage of VS Code') };
    input.title = title;
    input.password = true;
    input.ignoreFocusOut = true;
    input.buttons = [keep];
    const finish = (answer?: { value: string; isKept: boolean }): void => {
      resolve(answer);
      input.dispose();
    };
    input.onDidAccept(() => finish({ value: input.value, isKept: false }));
    input.onDidTriggerButton(() => finish({ value: input.value, isKept: true }));
    input.onDidHide(() => finish());
    input.show();
  });
}

import { l10n, type SecretStorage, ThemeIcon, window } from 'vscode';

/** Passwords and passphrases of one run: typed, or taken from the editor's secret storage when the user had them kept there. */
export class SecretPrompts {
  /** What was taken from the storage and asked for again did not work. */
  private readonly tried = new Set<string>();

  constructor(private readonly storage: SecretStorage) {}

  /** Undefined when the user gave none. */
  async ask(key: string, title: string): Promise<string | undefined> {
    if (this.tried.has(key)) await this.storage.delete(key);
    const stored = await this.storage.get(key);
    this.tried.add(key);
    if (stored !== undefined) return stored;
    const answer = await inputSecret(title);
    if (answer?.isKept) await this.storage.store(key, answer.value);
    return answer?.value;
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

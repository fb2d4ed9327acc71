import { randomBytes } from 'node:crypto';
import { Uri, type Webview } from 'vscode';

/** The page's frame: no inline script or style, nothing from anywhere but our own folder. */
export function workbenchHtml(webview: Webview, extensionUri: Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const asset = (name: string): string => webview.asWebviewUri(Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString();
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}; font-src ${webview.cspSource}; img-src ${webview.cspSource} data:`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<link rel="stylesheet" href="${asset('workbench.css')}">
<title>GPU Acceptance Workbench</title>
</head>
<body>
<main id="workbench"></main>
<script nonce="${nonce}" src="${asset('workbench.js')}"></script>
</body>
</html>`;
}

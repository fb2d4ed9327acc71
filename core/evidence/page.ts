import { escapeMarkup as text } from './markup';

/** One page without scripts or remote parts: it can be read anywhere, by anyone, in ten years. `body` is markup; `title` is text. */
export const staticPage = (title: string, style: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;

/** The variables that VS Code gives a page, with the values of three of its own themes. */
export const THEMES = {
  dark: theme('vscode-dark', {
    foreground: '#cccccc', 'descriptionForeground': '#9d9d9d', 'errorForeground': '#f85149', 'focusBorder': '#0078d4', 'editor-background': '#1f1f1f', 'sideBar-background': '#181818', 'panel-border': '#2b2b2b', 'editorWidget-border': '#313131',
    'editorIndentGuide-background1': '#404040', 'list-hoverBackground': '#2a2d2e', 'textLink-foreground': '#4daafc', 'button-background': '#0078d4', 'button-foreground': '#ffffff', 'button-hoverBackground': '#026ec1', 'button-secondaryBackground': '#313131',
    'button-secondaryForeground': '#cccccc', 'button-secondaryHoverBackground': '#3c3c3c', 'dropdown-background': '#313131', 'dropdown-foreground': '#cccccc', 'dropdown-border': '#3c3c3c', 'textCodeBlock-background': '#2b2b2b', 'editorLineNumber-foreground': '#6e7681', 'editorWarning-foreground': '#cca700',
    'editor-findMatchHighlightBackground': '#ea5c0055', 'charts-blue': '#59a4f9', 'charts-green': '#89d185', 'charts-orange': '#d18616', 'charts-purple': '#b180d7', 'charts-yellow': '#cca700', 'charts-red': '#f14c4c', 'terminal-ansiCyan': '#11a8cd', 'terminal-ansiMagenta': '#bc3fbc',
  }),
  light: theme('vscode-light', {
    foreground: '#3b3b3b', 'descriptionForeground': '#5f5f5f', 'errorForeground': '#c72e2e', 'focusBorder': '#005fb8', 'editor-background': '#ffffff', 'sideBar-background': '#f8f8f8', 'panel-border': '#e5e5e5', 'editorWidget-border': '#c8c8c8',
    'editorIndentGuide-background1': '#d3d3d3', 'list-hoverBackground': '#f2f2f2', 'textLink-foreground': '#005fb8', 'button-background': '#005fb8', 'button-foreground': '#ffffff', 'button-hoverBackground': '#0258a8', 'button-secondaryBackground': '#e5e5e5',
    'button-secondaryForeground': '#3b3b3b', 'button-secondaryHoverBackground': '#cccccc', 'dropdown-background': '#ffffff', 'dropdown-foreground': '#3b3b3b', 'dropdown-border': '#cecece', 'textCodeBlock-background': '#f3f3f3', 'editorLineNumber-foreground': '#6e7681', 'editorWarning-foreground': '#bf8803',
    'editor-findMatchHighlightBackground': '#ea5c0055', 'charts-blue': '#0063d3', 'charts-green': '#388a34', 'charts-orange': '#d18616', 'charts-purple': '#652d90', 'charts-yellow': '#bf8803', 'charts-red': '#e51400', 'terminal-ansiCyan': '#0598bc', 'terminal-ansiMagenta': '#bc05bc',
  }),
  'high-contrast': theme('vscode-high-contrast', {
    foreground: '#ffffff', 'descriptionForeground': '#ffffffb3', 'errorForeground': '#f48771', 'focusBorder': '#f38518', 'contrastBorder': '#6fc3df', 'editor-background': '#000000', 'sideBar-background': '#000000', 'panel-border': '#6fc3df', 'editorWidget-border': '#6fc3df',
    'editorIndentGuide-background1': '#ffffff59', 'textLink-foreground': '#21a6ff', 'button-background': '#000000', 'button-foreground': '#ffffff', 'button-border': '#6fc3df', 'dropdown-background': '#000000', 'dropdown-foreground': '#ffffff', 'dropdown-border': '#6fc3df',
    'textCodeBlock-background': '#000000', 'editorLineNumber-foreground': '#ffffff', 'editorWarning-foreground': '#ffd370', 'charts-blue': '#59a4f9', 'charts-green': '#89d185', 'charts-orange': '#d18616', 'charts-purple': '#b180d7', 'charts-yellow': '#ffd370', 'charts-red': '#f48771',
    'terminal-ansiCyan': '#00cdcd', 'terminal-ansiMagenta': '#cd00cd',
  }),
} as const;

export type ThemeName = keyof typeof THEMES;

export interface Theme {
  bodyClass: string;
  css: string;
}

function theme(bodyClass: string, variables: Record<string, string>): Theme {
  const all = { ...variables, 'font-family': 'system-ui, sans-serif', 'font-size': '13px', 'editor-font-family': 'monospace' };
  return { bodyClass, css: `:root{${Object.entries(all).map(([name, value]) => `--vscode-${name}:${value}`).join(';')}}` };
}

import { createConnection, ProposedFeatures, TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { startServer } from './server';

startServer(createConnection(ProposedFeatures.all), new TextDocuments(TextDocument));

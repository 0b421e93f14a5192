// What the extension and its client library ask of the module `vscode`, without an editor. A test
// opens and changes documents, calls the providers that were registered, and reads what was shown.

type Listener<T> = (value: T) => unknown;

/** A position in a document. */
export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

/** A range in a document. */
export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(start: Position | number, end: Position | number, line?: number, character?: number) {
    this.start = typeof start === "number" ? new Position(start, end as number) : start;
    this.end = typeof end === "number" ? new Position(line ?? 0, character ?? 0) : end;
  }
}

/** An address of a document. */
export class Uri {
  readonly scheme: string;
  readonly fsPath: string;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
    this.scheme = text.split(":", 1)[0] ?? "";
    this.fsPath = decodeURIComponent(text.replace(/^file:\/\//, ""));
  }
  static parse(text: string): Uri {
    return new Uri(text);
  }
  static file(path: string): Uri {
    return new Uri(`file://${path}`);
  }
  toString(): string {
    return this.text;
  }
}

/** Something that can be given up. */
export class Disposable {
  readonly #end: () => unknown;
  constructor(end: () => unknown = () => {}) {
    this.#end = end;
  }
  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const one of all) {
        one.dispose();
      }
    });
  }
  dispose(): unknown {
    return this.#end();
  }
}

/** An event with its listeners. */
export class EventEmitter<T> {
  readonly #listeners = new Set<Listener<T>>();
  readonly event = (listener: Listener<T>, self?: unknown, all?: Disposable[]): Disposable => {
    const bound = self === undefined ? listener : listener.bind(self);
    this.#listeners.add(bound);
    const disposable = new Disposable(() => this.#listeners.delete(bound));
    all?.push(disposable);
    return disposable;
  };
  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      listener(value);
    }
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

/** A request that can be taken back. */
export class CancellationTokenSource {
  readonly #emitter = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#emitter.event };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#emitter.fire();
  }
  dispose(): void {
    this.#emitter.dispose();
  }
}

/** Edits of several documents. */
export class WorkspaceEdit {
  readonly changes = new Map<string, TextEdit[]>();
  set(uri: Uri, edits: TextEdit[]): void {
    this.changes.set(uri.toString(), edits);
  }
  replace(uri: Uri, range: Range, text: string): void {
    const edits = this.changes.get(uri.toString()) ?? [];
    this.changes.set(uri.toString(), [...edits, new TextEdit(range, text)]);
  }
}

/** A text in place of a range. */
export class TextEdit {
  readonly range: Range;
  readonly newText: string;
  constructor(range: Range, newText: string) {
    this.range = range;
    this.newText = newText;
  }
}

/** A document of the stub, held as one text. */
export class Document {
  readonly uri: Uri;
  readonly languageId = "rulebook";
  readonly fileName: string;
  readonly isUntitled: boolean;
  readonly isDirty = false;
  readonly isClosed = false;
  version = 1;
  text: string;
  constructor(uri: Uri, text: string) {
    this.uri = uri;
    this.fileName = uri.fsPath;
    this.isUntitled = uri.scheme === "untitled";
    this.text = text;
  }
  getText(): string {
    return this.text;
  }
  offsetAt(position: Position): number {
    const lines = this.text.split("\n").slice(0, position.line);
    return lines.reduce((sum, line) => sum + line.length + 1, 0) + position.character;
  }
  positionAt(offset: number): Position {
    const lines = this.text.slice(0, offset).split("\n");
    return new Position(lines.length - 1, lines.at(-1)?.length ?? 0);
  }
  /** Where a text stands for the `nth` time. */
  find(text: string, nth = 0): Position {
    let at = this.text.indexOf(text);
    for (let seen = 0; seen < nth && at >= 0; seen += 1) {
      at = this.text.indexOf(text, at + 1);
    }
    if (at < 0) {
      throw new Error(`${text} does not stand in ${this.fileName}`);
    }
    return this.positionAt(at);
  }
  /** The text with edits made in it. */
  edited(edits: { range: Range; newText: string }[]): string {
    const last = [...edits].sort(
      (a, b) => this.offsetAt(b.range.start) - this.offsetAt(a.range.start),
    );
    return last.reduce(
      (text, edit) =>
        text.slice(0, this.offsetAt(edit.range.start)) +
        edit.newText +
        text.slice(this.offsetAt(edit.range.end)),
      this.text,
    );
  }
}

/** A value that only carries what it was made of. */
function record(...names: string[]) {
  return class {
    constructor(...values: unknown[]) {
      names.forEach((name, index) => {
        (this as Record<string, unknown>)[name] = values[index];
      });
    }
  };
}

/** Names with numbers, from `first` on. */
function numbered(first: number, names: string): Record<string, number> {
  return Object.fromEntries(names.split(" ").map((name, index) => [name, first + index]));
}

export const Location = record("uri", "range");
export const Diagnostic = record("range", "message", "severity");
export const DiagnosticRelatedInformation = record("location", "message");
export const CompletionItem = record("label", "kind");
export const CompletionList = record("items", "isIncomplete");
export const SnippetString = record("value");
export const Hover = record("contents", "range");
export const CodeLens = record("range", "command");
export const CodeAction = record("title", "kind");
export const DocumentLink = record("range", "target");
export const DocumentHighlight = record("range", "kind");
export const DocumentSymbol = record("name", "detail", "kind", "range", "selectionRange");
export const SymbolInformation = record("name", "kind", "containerName", "location");
export const FoldingRange = record("start", "end", "kind");
export const SelectionRange = record("range", "parent");
export const SemanticTokens = record("data", "resultId");
export const SemanticTokensEdits = record("edits", "resultId");
export const SemanticTokensEdit = record("start", "deleteCount", "data");
export const SemanticTokensLegend = record("tokenTypes", "tokenModifiers");
export const InlayHint = record("position", "label", "kind");
export const InlayHintLabelPart = record("value");
export const CallHierarchyItem = record("kind", "name", "detail", "uri", "range", "selectionRange");
export const TypeHierarchyItem = CallHierarchyItem;
export const CancellationError = class extends Error {};
export const RelativePattern = record("base", "pattern");
export const TabInputText = record("uri");
export const TabInputTextDiff = record("original", "modified");
export const TabInputCustom = record("uri");
export class MarkdownString {
  value: string;
  isTrusted?: boolean;
  supportHtml?: boolean;
  constructor(value = "") {
    this.value = value;
  }
  appendCodeblock(text: string): void {
    this.value += text;
  }
}
export class CodeActionKind {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
  append(part: string): CodeActionKind {
    return new CodeActionKind(this.value === "" ? part : `${this.value}.${part}`);
  }
  static Empty = new CodeActionKind("");
  static QuickFix = new CodeActionKind("quickfix");
  static Refactor = new CodeActionKind("refactor");
  static RefactorExtract = new CodeActionKind("refactor.extract");
  static RefactorInline = new CodeActionKind("refactor.inline");
  static RefactorRewrite = new CodeActionKind("refactor.rewrite");
  static Source = new CodeActionKind("source");
  static SourceOrganizeImports = new CodeActionKind("source.organizeImports");
}
export const DiagnosticSeverity = numbered(0, "Error Warning Information Hint");
export const DiagnosticTag = numbered(1, "Unnecessary Deprecated");
export const CompletionItemKind = numbered(
  0,
  "Text Method Function Constructor Field Variable Class Interface Module Property Unit Value Enum Keyword Snippet Color File Reference Folder EnumMember Constant Struct Event Operator TypeParameter User Issue",
);
export const CompletionItemTag = numbered(1, "Deprecated");
export const CompletionTriggerKind = numbered(
  0,
  "Invoke TriggerCharacter TriggerForIncompleteCompletions",
);
export const CodeActionTriggerKind = numbered(1, "Invoke Automatic");
export const SymbolKind = numbered(
  0,
  "File Module Namespace Package Class Method Property Field Constructor Enum Interface Function Variable Constant String",
);
export const SymbolTag = numbered(1, "Deprecated");
export const DocumentHighlightKind = numbered(0, "Text Read Write");
export const FoldingRangeKind = numbered(1, "Comment Imports Region");
export const InlayHintKind = numbered(1, "Type Parameter");
export const TextDocumentSaveReason = numbered(1, "Manual AfterDelay FocusOut");
export const FileType = numbered(0, "Unknown File Directory");
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const version = "1.100.0";

/** What a test sets and reads. */
export const stage = {
  settings: new Map<string, unknown>(),
  messages: [] as string[],
  answer: undefined as string | undefined,
  output: [] as string[],
  commands: new Map<string, (...values: unknown[]) => unknown>(),
  run: [] as unknown[][],
  providers: new Map<string, unknown>(),
  diagnostics: new Map<
    string,
    { message: string; severity: number; code: unknown; range: Range }[]
  >(),
  configured: new EventEmitter<{ affectsConfiguration(section: string): boolean }>(),
  opened: new EventEmitter<Document>(),
  changed: new EventEmitter<unknown>(),
  closed: new EventEmitter<Document>(),
  trusted: new EventEmitter<void>(),
};

/** Opens a document as the editor does. */
export function open(uri: string, text: string): Document {
  const document = new Document(new Uri(uri), text);
  workspace.textDocuments.push(document);
  stage.opened.fire(document);
  return document;
}

/** Types: a text in place of another. */
export function type(document: Document, from: Position, length: number, text: string): void {
  const at = document.offsetAt(from);
  const range = new Range(from, document.positionAt(at + length));
  document.text = document.text.slice(0, at) + text + document.text.slice(at + length);
  document.version += 1;
  const change = { range, rangeOffset: at, rangeLength: length, text };
  stage.changed.fire({ document, contentChanges: [change], reason: undefined });
}

const never = () => new Disposable();

function message(text: string): Promise<string | undefined> {
  stage.messages.push(text);
  return Promise.resolve(stage.answer);
}

export const window = {
  activeTextEditor: undefined,
  visibleTextEditors: [],
  tabGroups: { all: [], onDidChangeTabs: never, onDidChangeTabGroups: never },
  onDidChangeActiveTextEditor: never,
  onDidChangeVisibleTextEditors: never,
  createOutputChannel: () => ({
    append: (text: string) => stage.output.push(text),
    appendLine: (text: string) => stage.output.push(text),
    show: () => {},
    dispose: () => {},
  }),
  showErrorMessage: message,
  showWarningMessage: message,
  showInformationMessage: message,
  withProgress: (_: unknown, step: (progress: unknown) => unknown) => step({ report: () => {} }),
};

export const workspace = {
  isTrusted: true,
  textDocuments: [] as Document[],
  workspaceFolders: undefined as { uri: Uri; name: string; index: number }[] | undefined,
  notebookDocuments: [],
  getWorkspaceFolder: () => undefined,
  getConfiguration: (section?: string) => ({
    get: (name: string, fallback?: unknown) =>
      stage.settings.get(section === undefined ? name : `${section}.${name}`) ?? fallback,
  }),
  createFileSystemWatcher: () => ({
    onDidCreate: never,
    onDidChange: never,
    onDidDelete: never,
    dispose: () => {},
  }),
  onDidChangeConfiguration: stage.configured.event,
  onDidGrantWorkspaceTrust: stage.trusted.event,
  onDidOpenTextDocument: stage.opened.event,
  onDidChangeTextDocument: stage.changed.event,
  onDidCloseTextDocument: stage.closed.event,
  onDidSaveTextDocument: never,
  onWillSaveTextDocument: never,
  onDidChangeWorkspaceFolders: never,
  onDidCreateFiles: never,
  onDidRenameFiles: never,
  onDidDeleteFiles: never,
  onWillCreateFiles: never,
  onWillRenameFiles: never,
  onWillDeleteFiles: never,
};

export const commands = {
  registerCommand: (name: string, run: (...values: unknown[]) => unknown) => {
    if (stage.commands.has(name)) {
      throw new Error(`the command ${name} exists`);
    }
    stage.commands.set(name, run);
    return new Disposable(() => stage.commands.delete(name));
  },
  executeCommand: async (...values: unknown[]) => {
    stage.run.push(values);
  },
};

export const env = { appName: "Stub", language: "en", openExternal: async () => true };

/** The functions that register a provider, each keeping it by name. */
function registering(kinds: string): Record<string, (...values: unknown[]) => Disposable> {
  return Object.fromEntries(
    kinds.split(" ").map((kind) => [
      `register${kind}`,
      (...values: unknown[]) => {
        const provider = kind === "WorkspaceSymbolProvider" ? values[0] : values[1];
        stage.providers.set(kind, provider);
        return new Disposable(() => stage.providers.delete(kind));
      },
    ]),
  );
}

export const languages = {
  match: (_: unknown, document: Document) => (document.languageId === "rulebook" ? 10 : 0),
  createDiagnosticCollection: () => ({
    set: (uri: Uri, found: never[]) => stage.diagnostics.set(uri.toString(), found),
    delete: (uri: Uri) => stage.diagnostics.delete(uri.toString()),
    clear: () => stage.diagnostics.clear(),
    dispose: () => stage.diagnostics.clear(),
  }),
  ...registering(
    "HoverProvider DefinitionProvider ReferenceProvider DocumentHighlightProvider RenameProvider CompletionItemProvider DocumentFormattingEditProvider DocumentRangeFormattingEditProvider CodeActionsProvider DocumentSymbolProvider WorkspaceSymbolProvider FoldingRangeProvider SelectionRangeProvider DocumentSemanticTokensProvider DocumentRangeSemanticTokensProvider InlayHintsProvider SignatureHelpProvider DeclarationProvider ImplementationProvider TypeDefinitionProvider CodeLensProvider DocumentLinkProvider ColorProvider CallHierarchyProvider TypeHierarchyProvider LinkedEditingRangeProvider OnTypeFormattingEditProvider InlineValuesProvider InlineCompletionItemProvider",
  ),
};

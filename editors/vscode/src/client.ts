import {
  CloseAction,
  type CloseHandlerResult,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
} from "vscode-languageclient/node";

/**
 * The library's client, less what it shows and restarts by itself: it would say several things about
 * one failure. Whoever has this client says one.
 */
export class Client extends LanguageClient {
  /**
   * Settles when the start has succeeded or failed. A server that ends while it starts is dealt with
   * behind that: the library forgets a start whose connection it has closed.
   */
  readonly #started: Promise<boolean>;
  #settle: (started: boolean) => void = () => {};

  /** `ended` is called when a server that was running has ended by itself. */
  constructor(server: ServerOptions, options: LanguageClientOptions, ended: () => void) {
    super("rulebook", "Rulebook", server, {
      ...options,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: async (): Promise<CloseHandlerResult> => {
          if (await this.#started) {
            ended();
          }
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    });
    this.#started = new Promise((settle) => {
      this.#settle = settle;
    });
  }

  override async start(): Promise<void> {
    try {
      await super.start();
      this.#settle(true);
    } catch (error) {
      this.#settle(false);
      throw error;
    }
  }

  override async stop(timeout?: number): Promise<void> {
    try {
      await super.stop(timeout);
    } catch (error) {
      // What never ran, or has ended already, cannot be stopped: that is well.
      this.outputChannel.appendLine(String(error));
    }
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override info(message: string, data?: unknown): void {
    super.info(message, data, false);
  }
}

// Asks the compiler in a worker: of each kind of question only the latest, and never twice a
// worker that failed.

/** Most milliseconds that an answer may take. */
const PATIENCE = 60_000;

/** Fetches and compiles the module, once for all workers. */
export async function load(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the compiler cannot be loaded: ${response.status}`);
  try {
    return await WebAssembly.compileStreaming(response.clone());
  } catch {
    // A host that serves it under another type.
    return WebAssembly.compile(await response.arrayBuffer());
  }
}

export class Engine {
  constructor(loading, script, patience = PATIENCE) {
    this.loading = loading;
    this.script = script;
    this.patience = patience;
    this.waiting = new Map();
    this.current = null;
    this.start();
  }

  start() {
    const worker = new Worker(this.script, { type: 'module' });
    this.worker = worker;
    this.ready = this.loading().then((module) => worker.postMessage({ module }));
    worker.onmessage = ({ data }) => this.end(data);
    worker.onerror = (event) => this.end({ trap: event.message || 'the worker failed' });
  }

  /**
   * The answer; `null` where a later question of this kind took its place; `{trap}` where the
   * compiler failed, which is then started anew.
   */
  ask(request, source) {
    return new Promise((resolve) => {
      this.waiting.get(request.ask)?.resolve(null);
      this.waiting.set(request.ask, { request, source, resolve });
      this.next();
    });
  }

  /** Drops what is asked, and what is being answered. */
  drop() {
    for (const job of this.waiting.values()) job.resolve(null);
    this.waiting.clear();
    if (this.current) this.end(null);
  }

  async next() {
    if (this.current || this.waiting.size === 0) return;
    const [kind, job] = this.waiting.entries().next().value;
    this.waiting.delete(kind);
    this.current = job;
    try {
      await this.ready;
    } catch (error) {
      if (this.current === job) this.end({ trap: error.message });
      return;
    }
    if (this.current !== job) return;
    job.timer = setTimeout(() => this.end({ trap: 'no answer in time' }), this.patience);
    this.worker.postMessage({ request: job.request, source: job.source });
  }

  end(data) {
    const job = this.current;
    if (!job) return;
    this.current = null;
    clearTimeout(job.timer);
    if (!data || data.trap) {
      this.worker.onmessage = null;
      this.worker.onerror = null;
      this.worker.terminate();
      this.start();
    }
    // An answer to a question that was asked again since is stale.
    const isStale = this.waiting.has(job.request.ask);
    job.resolve(isStale || !data ? null : (data.answer ?? { trap: data.trap }));
    this.next();
  }
}

import type { Exporter, ExporterOptions } from './exporter.ts';
import type { OtlpSettings } from './settings.ts';

/** The record in the standard form, for a process that stays. Where nobody asked for it, nothing that could send is loaded. */
export interface Otlp {
  /** Called again and again; does what is due. */
  look(): Promise<void>;
  /** Sends the rest before the process ends. */
  finish(): Promise<void>;
  close(): void;
}

export interface OtlpOptions extends ExporterOptions {
  /** The person's own, as they are now. */
  settings(): Promise<OtlpSettings>;
}

export function createOtlp(options: OtlpOptions): Otlp {
  let exporter: Exporter | undefined;
  let isClosed = false;
  /** It was asked for once, perhaps before this process began; once it is not any more, rows stop waiting. */
  let wasAsked: boolean | undefined;

  function isAsked({ endpoint }: OtlpSettings): boolean {
    wasAsked ??= options.outbox()?.state()?.isOn === true;
    const isOrWas = endpoint !== undefined || wasAsked;
    wasAsked = endpoint !== undefined;
    return isOrWas;
  }

  async function withExporter(work: (exporter: Exporter, settings: OtlpSettings) => Promise<void>): Promise<void> {
    try {
      const settings = await options.settings();
      if (isClosed || !isAsked(settings)) return;
      exporter ??= (await import('./exporter.ts')).createExporter(options);
      await work(exporter, settings);
    } catch (error) {
      options.onFailure('sending to the OTLP receiver', error);
    }
  }

  return {
    look: () => withExporter((sending, settings) => sending.look(settings)),
    finish: () => withExporter((sending, settings) => sending.finish(settings)),
    close() {
      isClosed = true;
      exporter?.close();
    },
  };
}

/** The attributes of a measurement. */
export interface MetricsAttributes {
  readonly [name: string]: string | number
}

/** How an instrument is described. */
export interface MetricsInstrument {
  /** UCUM unit: `s`, `By`. */
  readonly unit: string
  readonly description: string
  /** Names of the attributes that it may get; OpenTelemetry does not need them. */
  readonly attributes: readonly string[]
  /** Upper bounds of the buckets of a histogram. */
  readonly advice?: { readonly explicitBucketBoundaries: number[] }
}

/** Creates instruments: a `Meter` of `@opentelemetry/api`, or that of `sluice/metrics`. */
export interface MetricsMeter {
  createHistogram(
    name: string,
    instrument: MetricsInstrument,
  ): { record(value: number, attributes: MetricsAttributes): void }
  createUpDownCounter(
    name: string,
    instrument: MetricsInstrument,
  ): { add(value: number, attributes: MetricsAttributes): void }
  createObservableGauge(
    name: string,
    instrument: MetricsInstrument,
  ): { addCallback(callback: (result: { observe(value: number): void }) => void): void }
}

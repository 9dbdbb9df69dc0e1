import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a collector has received, by the path of the signal. */
export interface Received {
  readonly path: string
  readonly type: string | undefined
  readonly bytes: Buffer
}

/** An OpenTelemetry collector as far as exporters see one: it takes OTLP over HTTP, and answers that all is well. */
export const startCollector = async () => {
  const received: Received[] = []
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part)
    const type = incoming.headers['content-type']
    received.push({ path: incoming.url!, type, bytes: Buffer.concat(parts) })
    outgoing.writeHead(200, { 'content-type': type ?? '' }).end(type === 'application/json' ? '{}' : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A field of a message in protocol buffers: its number, and a number or bytes. */
type Field = readonly [number: number, value: bigint | Buffer]

/** The fields of a message, by the encoding that https://protobuf.dev/programming-guides/encoding/ describes. */
const fieldsOf = (bytes: Buffer): Field[] => {
  const fields: Field[] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  const take = (length: number): Buffer => {
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const key = Number(varint())
    const kind = key & 7
    fields.push([key >> 3, kind === 0 ? varint() : take(kind === 1 ? 8 : kind === 5 ? 4 : Number(varint()))])
  }
  return fields
}

const all = (bytes: Buffer, number: number): Buffer[] =>
  fieldsOf(bytes).flatMap(([of, value]) => (of === number && typeof value === 'object' ? [value] : []))
const one = (bytes: Buffer, number: number): Field[1] | undefined => fieldsOf(bytes).find(([of]) => of === number)?.[1]

/** `AnyValue`: 1 is a text, 3 a whole number, 4 a double. */
const anyOf = (bytes: Buffer): string | number => {
  const [number, value] = fieldsOf(bytes)[0]!
  if (typeof value === 'bigint') return Number(value)
  return number === 4 ? value.readDoubleLE() : `${value}`
}

export type Attributes = Record<string, string | number>
const attributesOf = (bytes: Buffer, number: number): Attributes =>
  Object.fromEntries(all(bytes, number).map((pair) => [`${one(pair, 1)}`, anyOf(one(pair, 2) as Buffer)]))

/** A span on the wire. */
export interface WireSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly attributes: Attributes
  readonly events: { readonly name: string; readonly attributes: Attributes }[]
  readonly status: number
  readonly scope: string
  readonly resource: Attributes
}

type Json = any // any: the JSON of another program
const plain = (pairs: Json[] = []): Attributes =>
  Object.fromEntries(
    pairs.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? Number(value.intValue)]),
  )

/** Spans of `ExportTraceServiceRequest`, in JSON or in protocol buffers (opentelemetry-proto, trace.proto). */
export const spansOf = ({ type, bytes }: Received): WireSpan[] =>
  type === 'application/json'
    ? JSON.parse(`${bytes}`).resourceSpans.flatMap(({ resource, scopeSpans }: Json) =>
        scopeSpans.flatMap(({ scope, spans }: Json) =>
          spans.map((span: Json) => ({
            name: span.name,
            kind: span.kind,
            traceId: span.traceId,
            spanId: span.spanId,
            parentSpanId: span.parentSpanId ?? '',
            attributes: plain(span.attributes),
            events: (span.events ?? []).map((event: Json) => ({ ...event, attributes: plain(event.attributes) })),
            status: span.status?.code ?? 0,
            scope: scope.name,
            resource: plain(resource.attributes),
          })),
        ),
      )
    : all(bytes, 1).flatMap((resourceSpans) =>
        all(resourceSpans, 2).flatMap((scopeSpans) =>
          all(scopeSpans, 2).map((span) => ({
            name: `${one(span, 5)}`,
            kind: Number(one(span, 6)),
            traceId: (one(span, 1) as Buffer).toString('hex'),
            spanId: (one(span, 2) as Buffer).toString('hex'),
            parentSpanId: ((one(span, 4) as Buffer | undefined) ?? Buffer.alloc(0)).toString('hex'),
            attributes: attributesOf(span, 9),
            events: all(span, 11).map((event) => ({ name: `${one(event, 2)}`, attributes: attributesOf(event, 3) })),
            status: Number(one((one(span, 15) as Buffer | undefined) ?? Buffer.alloc(0), 3) ?? 0),
            scope: `${one(one(scopeSpans, 1) as Buffer, 1)}`,
            resource: attributesOf(one(resourceSpans, 1) as Buffer, 1),
          })),
        ),
      )

/** A metric on the wire, with one point for each set of attributes. */
export interface WireMetric {
  readonly name: string
  readonly unit: string
  readonly points: { readonly attributes: Attributes; readonly count?: number; readonly bounds?: number[] }[]
}

const doubles = (packed: Buffer): number[] =>
  Array.from({ length: packed.length / 8 }, (_, index) => packed.readDoubleLE(index * 8))

/** Metrics of `ExportMetricsServiceRequest` (metrics.proto): 5 is a gauge, 7 a sum, 9 a histogram. */
export const metricsOf = ({ type, bytes }: Received): WireMetric[] =>
  type === 'application/json'
    ? JSON.parse(`${bytes}`).resourceMetrics.flatMap(({ scopeMetrics }: Json) =>
        scopeMetrics.flatMap(({ metrics }: Json) =>
          metrics.map(({ name, unit, gauge, sum, histogram }: Json) => ({
            name,
            unit,
            points: (gauge ?? sum ?? histogram).dataPoints.map((point: Json) => ({
              attributes: plain(point.attributes),
              ...(histogram && { count: Number(point.count), bounds: point.explicitBounds }),
            })),
          })),
        ),
      )
    : all(bytes, 1).flatMap((resourceMetrics) =>
        all(resourceMetrics, 2).flatMap((scopeMetrics) =>
          all(scopeMetrics, 2).map((metric) => {
            const histogram = one(metric, 9) as Buffer | undefined
            const data = histogram ?? ((one(metric, 5) ?? one(metric, 7)) as Buffer)
            return {
              name: `${one(metric, 1)}`,
              unit: `${one(metric, 3)}`,
              points: all(data, 1).map((point) => ({
                attributes: attributesOf(point, histogram ? 9 : 7),
                ...(histogram && {
                  count: Number((one(point, 4) as Buffer).readBigUInt64LE()),
                  bounds: doubles(one(point, 7) as Buffer),
                }),
              })),
            }
          }),
        ),
      )

/** The source text that generated files have for a field type. */
export interface FieldShape {
  /** Column type in the model. */
  readonly kind: 'string' | 'email' | 'number' | 'boolean' | 'date' | 'json'
  /** TypeScript type of the property. */
  readonly ts: string
  /** The column in `Model.define`. @default the type without arguments: `t.text()` */
  readonly define?: string
  /** Schema of the values that a client may send. */
  readonly schema: string
  /** Column type in SQL that all three databases accept. */
  readonly sql: string
  /** The only values that the column takes, as literals of SQL. */
  readonly literals?: string | undefined
  /** A value that the schema accepts. */
  readonly sample: string
  /** An accepted value that differs for each value of a variable `n`; absent if the type cannot be unique. */
  readonly uniqueSample?: string
  /** True if a list can be filtered by it: its values are short. */
  readonly filter?: boolean
}

/** A field type: its arguments, and the shape that they give. */
interface FieldTypeRule {
  /** How the arguments are written; empty if there are none. */
  readonly usage: string
  /** The shape, or undefined for invalid arguments. */
  readonly shape: (...words: string[]) => FieldShape | undefined
}

const plain = (shape: FieldShape): FieldTypeRule => ({
  usage: '',
  shape: (...words) => (words.length === 0 ? shape : undefined),
})

/** A whole number from 1 to a limit, or undefined. */
const count = (word: string | undefined, max: number): number | undefined =>
  word !== undefined && /^[1-9]\d{0,8}$/.test(word) && Number(word) <= max ? Number(word) : undefined

/** A string up to a length. In the sample, `#` is the place of the number that makes it unique. */
const text = (length: number, schema: string, sample: string): FieldShape => {
  // In a short column, leave room for the number.
  const numbered = sample.includes('#') ? sample : `${sample.slice(0, Math.max(0, length - 3))}#`
  return {
    kind: 'string',
    ts: 'string',
    schema,
    sql: `'varchar(${length})'`,
    sample: `'${sample.replace('#', '')}'`,
    uniqueSample: `\`${numbered.replace('#', `$\{n}`)}\``,
    filter: true,
  }
}

const string = (size?: string, ...more: string[]): FieldShape | undefined => {
  const length = count(size ?? '255', 1000)
  if (length === undefined || more.length > 0) return undefined
  const shape = text(length, `z.string().trim().min(1).max(${length})`, 'Ada'.slice(0, length))
  return size === undefined ? shape : { ...shape, define: `t.string(${length})` }
}

/** A JavaScript number has 15 exact decimal digits: with more, an amount of money would change. */
const decimal = (precision = '10', scale = '2', ...more: string[]): FieldShape | undefined => {
  const digits = count(precision, 15)
  const places = scale === '0' ? 0 : count(scale, 15)
  if (digits === undefined || places === undefined || places > digits || more.length > 0) return undefined
  const step = places === 0 ? '1' : `0.${'0'.repeat(places - 1)}1`
  const whole = grouped('9'.repeat(digits - places) || '0')
  const max = places === 0 ? whole : `${whole}.${'9'.repeat(places)}`
  return {
    kind: 'number',
    ts: 'number',
    define: `t.decimal(${digits}, ${places})`,
    schema: `z.number().min(-${max}).max(${max}).multipleOf(${step})`,
    sql: `'decimal(${digits}, ${places})'`,
    sample:
      places === 0 ? '9' : `${digits > places ? 9 : 0}.${'5'.padEnd(Math.min(places, 2), '0').replace(/0+$/, '')}`,
  }
}

const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, '_')

const oneOf = (...values: string[]): FieldShape | undefined => {
  const fine = values.every((value) => /^[A-Za-z\d][\w -]{0,59}$/.test(value)) && new Set(values).size === values.length
  if (values.length === 0 || !fine) return undefined
  const quoted = values.map((value) => `'${value}'`)
  const list = quoted.join(', ')
  return {
    kind: 'string',
    ts: quoted.join(' | '),
    define: `t.enum([${list}])`,
    schema: `z.enum([${list}])`,
    sql: `'varchar(${Math.max(32, ...values.map((value) => value.length))})'`,
    literals: list,
    sample: quoted[0] ?? '',
    filter: true,
  }
}

const INTEGER = 'z.number().int().min(-2_147_483_648).max(2_147_483_647)'

const URL_SCHEMA = 'z.string().trim().url({ protocol: /^https?$/ }).max(1000)'

/** A reference to the integer key of another model. The names of the field and the model are set in `fields.ts`. */
const references: FieldTypeRule = {
  usage: '(Model)',
  shape: (_model, ...more) =>
    more.length > 0
      ? undefined
      : {
          kind: 'number',
          ts: 'number',
          schema: 'z.number().int().positive().max(2_147_483_647)',
          sql: "'integer'",
          sample: '1',
          filter: true,
        },
}

/** The types that a field may have. */
export const FIELD_TYPES: Readonly<Record<string, FieldTypeRule>> = {
  string: { usage: '(length up to 1000)', shape: string },
  text: plain({
    kind: 'string',
    ts: 'string',
    schema: 'z.string().max(10_000)',
    sql: "'text'",
    sample: "'A longer text'",
  }),
  // One spelling for each address: the kind normalizes what the model stores, the schema what a client sends.
  email: plain({
    ...text(255, 'z.string().trim().toLowerCase().email().max(255)', 'ada#@example.com'),
    kind: 'email',
  }),
  // Only URLs that a page may link to: `javascript:` is a URL too.
  url: plain(text(1000, URL_SCHEMA, 'https://example.com/#')),
  uuid: plain({
    kind: 'string',
    ts: 'string',
    schema: 'z.string().uuid()',
    sql: "'varchar(36)'",
    sample: "'f47ac10b-58cc-4372-a567-0e02b2c3d479'",
    uniqueSample: 'crypto.randomUUID()',
    filter: true,
  }),
  integer: plain({
    kind: 'number',
    ts: 'number',
    schema: INTEGER,
    sql: "'integer'",
    sample: '7',
    uniqueSample: 'n',
    filter: true,
  }),
  number: plain({
    kind: 'number',
    ts: 'number',
    schema: 'z.number().finite()',
    sql: "'double precision'",
    sample: '1.5',
  }),
  decimal: { usage: '(digits up to 15,decimal places)', shape: decimal },
  boolean: plain({
    kind: 'boolean',
    ts: 'boolean',
    schema: 'z.boolean()',
    sql: "'boolean'",
    sample: 'true',
    filter: true,
  }),
  date: plain({
    kind: 'date',
    ts: 'Date',
    // A date, or a time with its zone. `z.coerce.date()` alone would also accept `'1'` and `true`.
    schema: 'z.iso.datetime({ offset: true }).or(z.iso.date()).pipe(z.coerce.date())',
    sql: "'datetime(3)'",
    sample: "'2026-11-21T10:00:00.000Z'",
  }),
  enum: { usage: '(one,or,another)', shape: oneOf },
  json: plain({
    kind: 'json',
    ts: 'unknown',
    define: 't.json(z.array(z.unknown()).or(z.record(z.unknown())))',
    schema: 'z.array(z.unknown()).or(z.record(z.unknown()))',
    sql: "'json'",
    sample: "['one', 'two']",
  }),
  references,
}

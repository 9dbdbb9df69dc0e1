/** What a type of `--fields` stands for, as source text. */
export interface FieldShape {
  /** What the model calls the column. */
  readonly kind: 'string' | 'email' | 'number' | 'boolean' | 'date' | 'json'
  /** Type of the property. */
  readonly ts: string
  /** What a client may send for it. */
  readonly schema: string
  /** Column type, one that all three databases take. */
  readonly sql: string
  /** A value that the schema lets through. */
  readonly sample: string
  /** The same, another one for each value of a variable `n`; absent where the type cannot be unique. */
  readonly uniqueSample?: string
  /** What a query string may say to find records by it; absent where that makes no sense. */
  readonly filter?: string
}

/** What a client gets for a field, as source text of a schema: a date is a text in JSON. */
export const answerSchema = ({ type, kind, schema, optional }: Answered): string => {
  const whole = type === 'integer' || type === 'references' ? 'z.number().int()' : ANSWERS[kind]
  const answer = type === 'enum' || kind === 'json' ? schema.replace(/\.nullish\(\)$/, '') : whole
  return optional ? `${answer}.nullable()` : answer
}

type Answered = Pick<FieldShape, 'kind' | 'schema'> & { readonly type: string; readonly optional: boolean }

const ANSWERS: Readonly<Record<FieldShape['kind'], string>> = {
  string: 'z.string()',
  email: 'z.string()',
  number: 'z.number()',
  boolean: 'z.boolean()',
  date: 'z.string().datetime()',
  json: 'z.unknown()',
}

/** The words between the brackets of a type: `10` and `2` of `decimal(10,2)`. */
export type TypeArguments = readonly string[]

/** A type by its name: how many arguments it takes, how they are written, and what comes of them. */
interface FieldTypeRule {
  /** Arguments as they are written; empty for none. */
  readonly usage: string
  /** The shape, or undefined for arguments that make no sense. */
  readonly shape: (...words: string[]) => FieldShape | undefined
}

const plain = (shape: FieldShape): FieldTypeRule => ({
  usage: '',
  shape: (...words) => (words.length === 0 ? shape : undefined),
})

/** A whole number from 1 to a limit, or undefined. */
const count = (word: string | undefined, most: number): number | undefined =>
  word !== undefined && /^[1-9]\d{0,8}$/.test(word) && Number(word) <= most ? Number(word) : undefined

/** A text up to a length; `#` in the sample is where the number of a unique one goes. */
const text = (length: number, schema: string, sample: string): FieldShape => {
  // A short column needs its room for the number.
  const numbered = sample.includes('#') ? sample : `${sample.slice(0, Math.max(0, length - 3))}#`
  return {
    kind: 'string',
    ts: 'string',
    schema,
    sql: `'varchar(${length})'`,
    sample: `'${sample.replace('#', '')}'`,
    uniqueSample: `\`${numbered.replace('#', `$\{n}`)}\``,
    filter: schema,
  }
}

const string = (given?: string, ...more: string[]): FieldShape | undefined => {
  const length = count(given ?? '255', 1000)
  if (length === undefined || more.length > 0) return undefined
  return text(length, `z.string().trim().min(1).max(${length})`, 'Ada'.slice(0, length))
}

/** A number keeps 15 digits: money beyond that would not come back as it was sent. */
const decimal = (precision = '10', scale = '2', ...more: string[]): FieldShape | undefined => {
  const digits = count(precision, 15)
  const places = scale === '0' ? 0 : count(scale, 15)
  if (digits === undefined || places === undefined || places > digits || more.length > 0) return undefined
  const step = places === 0 ? '1' : `0.${'0'.repeat(places - 1)}1`
  const whole = grouped('9'.repeat(digits - places) || '0')
  const most = places === 0 ? whole : `${whole}.${'9'.repeat(places)}`
  return {
    kind: 'number',
    ts: 'number',
    schema: `z.number().min(-${most}).max(${most}).multipleOf(${step})`,
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
  const length = Math.max(32, ...values.map((value) => value.length))
  const schema = `z.enum([${quoted.join(', ')}])`
  const [sample = ''] = quoted
  return { kind: 'string', ts: quoted.join(' | '), schema, sql: `'varchar(${length})'`, sample, filter: schema }
}

const INTEGER = 'z.number().int().min(-2_147_483_648).max(2_147_483_647)'

const URL_SCHEMA = ['z', '.string()', '.trim()', '.url({ protocol: /^https?$/ })', '.max(1000)'].join('\n    ')

/** A reference to the integer key of another model; the field's name and the model are worked out where it is read. */
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
          filter: 'whole',
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
  // One spelling for one mailbox: the kind has the model write it, the schema has the answer to a client be about it.
  email: plain({
    ...text(255, 'z.string().trim().toLowerCase().email().max(255)', 'ada#@example.com'),
    kind: 'email',
  }),
  // One that a page may link to: `javascript:` is a URL as well.
  url: plain({
    ...text(1000, URL_SCHEMA, 'https://example.com/#'),
    filter: 'z.string().url().max(1000)',
  }),
  uuid: plain({
    kind: 'string',
    ts: 'string',
    schema: 'z.string().uuid()',
    sql: "'varchar(36)'",
    sample: "'f47ac10b-58cc-4372-a567-0e02b2c3d479'",
    uniqueSample: 'crypto.randomUUID()',
    filter: 'z.string().uuid()',
  }),
  integer: plain({
    kind: 'number',
    ts: 'number',
    schema: INTEGER,
    sql: "'integer'",
    sample: '7',
    uniqueSample: 'n',
    filter: 'whole',
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
    filter: 'flag',
  }),
  date: plain({
    kind: 'date',
    ts: 'Date',
    // A day, or a time with its zone: a Date would be made of `'1'` and of `true` as well.
    schema: 'z.string().datetime({ offset: true }).or(z.string().date()).pipe(z.coerce.date())',
    sql: "'datetime(3)'",
    sample: "'2026-11-21T10:00:00.000Z'",
  }),
  enum: { usage: '(one,or,another)', shape: oneOf },
  json: plain({
    kind: 'json',
    ts: 'unknown',
    schema: 'z.array(z.unknown()).or(z.record(z.unknown()))',
    sql: "'json'",
    sample: "['one', 'two']",
  }),
  references,
}

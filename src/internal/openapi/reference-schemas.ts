/** Draws schemas and bodies. Text of the document becomes text nodes only, so that it cannot add elements. */
export const SCHEMAS: string = `
const main = document.querySelector('main')
const el = (name, props, ...children) => {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(props ?? {}))
    if (value !== undefined) key in node ? (node[key] = value) : node.setAttribute(key, value)
  node.append(...children.flat(9).filter((child) => child !== undefined && child !== ''))
  return node
}
const p = (text) => (text ? el('p', {}, String(text)) : '')
const alertOf = (text) => el('p', { role: 'alert' }, text)
var doc

const at = (value, seen = 0) => {
  if (typeof value?.$ref !== 'string' || seen > 20) return value ?? {}
  const parts = value.$ref.split('/').slice(1).map((part) => decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~'))
  return at(value.$ref[0] === '#' ? parts.reduce((found, part) => found?.[part], doc) : {}, seen + 1)
}
const RULES = 'format minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems default readOnly writeOnly deprecated'.split(' ')
const rulesOf = (schema) => RULES.filter((name) => schema[name] !== undefined).map((name) => name + ': ' + JSON.stringify(schema[name])).join(', ')

const typeOf = (schema, pad = '') => {
  if (typeof schema !== 'object' || schema === null) return schema === false ? 'never' : 'any'
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').pop()
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const parts = [[schema.oneOf ?? schema.anyOf, ' | '], [schema.allOf, ' & ']].filter(([list]) => list)
  if (parts.length) return parts.map(([list, by]) => list.map((one) => typeOf(one, pad)).join(by)).join(' & ')
  const types = [schema.type ?? (schema.properties ? 'object' : schema.items ? 'array' : 'any')].flat()
  return types.concat(schema.nullable ? 'null' : []).map((type) => {
    if (type === 'array') return 'array of ' + (schema.prefixItems ? '[' + schema.prefixItems.map((one) => typeOf(one, pad)).join(', ') + ']' : typeOf(schema.items ?? true, pad))
    if (type !== 'object') return type
    const inner = pad + '  '
    const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
      const about = [typeof field === 'object' && !field.$ref ? rulesOf(field) : '', field?.description].filter(Boolean).join('; ')
      return inner + name + (schema.required?.includes(name) ? '' : '?') + ': ' + typeOf(field, inner) + (about && '  # ' + about.replace(/\\s+/g, ' '))
    })
    const more = schema.additionalProperties
    if (typeof more === 'object') fields.push(inner + '[name]: ' + typeOf(more, inner))
    return fields.length ? '{\\n' + fields.join('\\n') + '\\n' + pad + '}' : 'object'
  }).join(' | ')
}

const sampleOf = (given, depth = 0) => {
  const schema = at(given)
  if (depth > 6) return null
  for (const known of [schema.example, schema.examples?.[0], schema.default, schema.const, schema.enum?.[0]]) if (known !== undefined) return known
  const one = (schema.oneOf ?? schema.anyOf)?.[0]
  if (one) return sampleOf(one, depth + 1)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, depth + 1)))
  const type = [schema.type ?? (schema.properties ? 'object' : 'string')].flat()[0]
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).filter(([, field]) => !at(field).readOnly)
    return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field, depth + 1)]))
  }
  if (type === 'array') return schema.items ? [sampleOf(schema.items, depth + 1)] : []
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0
  if (type === 'null') return null
  return { 'date-time': '2030-01-31T12:00:00Z', date: '2030-01-31', uuid: '00000000-0000-4000-8000-000000000000', email: 'ada@example.com', uri: 'https://example.com' }[schema.format] ?? ''
}
const shown = (schema) => [el('pre', { tabIndex: 0 }, typeOf(typeof schema?.$ref === 'string' ? at(schema) : schema))]
const field = (name, about, input) => el('label', {}, el('span', {}, el('code', {}, name), ' ', el('small', {}, about)), input)
const text = (value) => (value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value))

const bodyOf = (content) => {
  const type = Object.keys(content).find((one) => /json/.test(one)) ?? Object.keys(content)[0]
  const schema = content[type]?.schema ?? {}
  if (!/form/.test(type)) {
    const area = el('textarea', { value: /json/.test(type) ? JSON.stringify(content[type].example ?? sampleOf(schema), null, 2) : '' })
    return { type, schema, nodes: [field('body', type, area)], read: () => area.value }
  }
  const inputs = Object.entries(at(schema).properties ?? {}).map(([name, given]) => {
    const inner = at(given)
    const isFile = inner.format === 'binary' || inner.contentMediaType !== undefined || (/multipart/.test(type) && Object.keys(inner).length === 0)
    return [name, el('input', isFile ? { type: 'file' } : { value: text(sampleOf(given)) }), typeOf(given)]
  })
  const read = () => {
    const form = /multipart/.test(type) ? new FormData() : new URLSearchParams()
    for (const [name, input] of inputs) if (input.type !== 'file') form.append(name, input.value)
      else if (input.files[0]) form.append(name, input.files[0])
    return form
  }
  return { type: undefined, schema, nodes: inputs.map(([name, input, about]) => field(name, about, input)), read }
}
`

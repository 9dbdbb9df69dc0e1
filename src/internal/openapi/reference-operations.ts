/** Draws operations and sends requests, with the functions of the other part. */
export const OPERATIONS: string = `
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const secrets = {}
var server = ''

const authorize = (operation, headers, query) => {
  const asked = (operation.security ?? doc.security ?? []).flatMap((one) => Object.keys(one))
  for (const name of asked.filter((one) => secrets[one])) {
    const scheme = at(doc.components?.securitySchemes?.[name])
    const secret = secrets[name]
    if (scheme.type === 'apiKey') scheme.in === 'query' ? query.append(scheme.name, secret) : headers.set(scheme.name, secret)
    else if (/^basic$/i.test(scheme.scheme ?? '')) headers.set('authorization', 'Basic ' + btoa(String.fromCharCode(...new TextEncoder().encode(secret))))
    else headers.set('authorization', (scheme.scheme && !/^bearer$/i.test(scheme.scheme) ? scheme.scheme : 'Bearer') + ' ' + secret)
  }
}

const formOf = (path, method, operation, parameters, body) => {
  const inputs = parameters.filter((one) => one.in !== 'cookie').map((one) => [one, el('input', { required: one.in === 'path', value: text(one.example ?? (one.required ? sampleOf(one.schema) : undefined)) })])
  const result = el('div', { role: 'status' })
  const send = async () => {
    const query = new URLSearchParams()
    const headers = new Headers()
    let to = path
    for (const [{ name, in: place, schema }, { value }] of inputs) {
      if (place === 'path') to = to.replaceAll('{' + name + '}', encodeURIComponent(value))
      else if (value === '') continue
      else if (place === 'header') headers.set(name, value)
      else for (const one of at(schema).type === 'array' ? value.split(',') : [value]) query.append(name, one)
    }
    if (body?.type) headers.set('content-type', body.type)
    authorize(operation, headers, query)
    const start = performance.now()
    const response = await fetch(server + to + (query.size ? '?' + query : ''), { method: method.toUpperCase(), headers, body: body?.read() })
    const type = response.headers.get('content-type') ?? ''
    let content = /^(image|audio|video|font)|octet-stream|zip|pdf/.test(type) ? (await response.blob()).size + ' bytes' : await response.text()
    if (/json/.test(type)) try { content = JSON.stringify(JSON.parse(content), null, 2) } catch {}
    result.replaceChildren(
      el('p', {}, el('strong', {}, response.status + ' ' + response.statusText), ' ', el('small', {}, Math.round(performance.now() - start) + ' ms')),
      el('pre', { tabIndex: 0 }, [...response.headers].map((line) => line.join(': ')).join('\\n')),
      content ? el('pre', { tabIndex: 0 }, content) : '')
  }
  const onsubmit = async (event) => {
    event.preventDefault()
    result.replaceChildren()
    await send().catch((error) => result.replaceChildren(alertOf('No response: ' + error.message)))
  }
  const about = (one) => one.in + ', ' + typeOf(one.schema ?? true) + (one.required ? ', required' : '') + (one.description ? ': ' + one.description : '')
  return el('form', { onsubmit }, inputs.map(([one, input]) => field(one.name, about(one), input)), body?.nodes, el('button', {}, 'Send'), result)
}

const operationOf = (path, method, operation, shared) => {
  const own = (operation.parameters ?? []).map((one) => at(one))
  const inherited = shared.map((one) => at(one)).filter((one) => !own.some(({ name, in: place }) => name === one.name && place === one.in))
  const request = at(operation.requestBody)
  const body = Object.keys(request.content ?? {}).length ? bodyOf(request.content) : undefined
  const id = operation.operationId ?? method + path
  const node = el('details', { id, 'data-method': method, 'data-deprecated': operation.deprecated ? '' : undefined },
    el('summary', {}, el('b', {}, method.toUpperCase()), el('code', {}, path), operation.summary ?? '', operation.deprecated ? el('small', {}, ' deprecated') : ''))
  const draw = () => {
    if (!node.open || node.children.length > 1) return
    node.append(
      el('div', {}, p(operation.description),
        body ? [el('h4', {}, 'Body'), p(request.description), shown(body.schema)] : '',
        el('h4', {}, 'Responses'),
        Object.entries(operation.responses ?? {}).map(([status, given]) => {
          const { description, content = {} } = at(given)
          return [p(status + ' ' + (description ?? '')), Object.entries(content).map(([type, { schema }]) => [el('small', {}, type), shown(schema)])]
        }),
        el('h4', {}, 'Try it'), formOf(path, method, operation, [...inherited, ...own], body)))
  }
  node.addEventListener('toggle', draw)
  node.addEventListener('toggle', () => node.open && history.replaceState(null, '', '#' + encodeURIComponent(id)))
  return node
}

const draw = () => {
  const { title, version, description } = doc.info ?? {}
  const groups = new Map((doc.tags ?? []).map(({ name, description }) => [name, { about: description, nodes: [] }]))
  for (const [path, given] of Object.entries(doc.paths ?? {})) {
    const item = at(given)
    for (const method of METHODS.filter((one) => item[one])) {
      const name = item[method].tags?.[0] ?? 'Other'
      if (!groups.has(name)) groups.set(name, { nodes: [] })
      groups.get(name).nodes.push(operationOf(path, method, item[method], item.parameters ?? []))
    }
  }
  const servers = (doc.servers ?? []).map(({ url }) => new URL(url, new URL(main.dataset.url, location.href)).href.replace(/\\/$/, '')).filter((url) => url !== location.origin)
  const choice = el('select', { onchange: () => (server = choice.value) }, ['', ...servers].map((url) => el('option', { value: url }, url || location.origin)))
  const schemes = Object.entries(doc.components?.securitySchemes ?? {}).map(([name, given]) => [name, at(given)]).filter(([, one]) => one.in !== 'cookie')
  const secretOf = ([name, one]) => field(name, /^basic$/i.test(one.scheme ?? '') ? 'name:password' : one.in ? one.in + ' ' + one.name : 'token',
    el('input', { type: 'password', autocomplete: 'off', oninput: (event) => (secrets[name] = event.target.value) }))
  main.replaceChildren(
    el('h1', {}, title ?? 'API', ' ', el('small', {}, version ?? '')), p(description),
    el('p', {}, el('a', { href: main.dataset.url }, 'The document')),
    servers.length ? field('Server', 'that requests go to', choice) : '',
    schemes.length ? el('details', {}, el('summary', {}, 'Authorization'), el('div', {}, schemes.map(secretOf))) : '',
    ...[...groups].filter(([, { nodes }]) => nodes.length).flatMap(([name, { about, nodes }]) => [el('h2', {}, name), p(about), ...nodes]),
    ...(doc.components?.schemas ? [el('h2', {}, 'Schemas')] : []),
    ...Object.entries(doc.components?.schemas ?? {}).map(([name, schema]) => el('details', {}, el('summary', {}, el('code', {}, name)), el('div', {}, p(schema.description), shown(schema)))))
  const opened = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (opened?.tagName === 'DETAILS') opened.open = true
}

try {
  const response = await fetch(main.dataset.url)
  if (!response.ok) throw new Error(response.status + ' ' + response.statusText)
  doc = await response.json()
  draw()
} catch (error) {
  main.replaceChildren(alertOf(main.dataset.url + ': ' + error.message))
}
`

/** A symbol as markdown: its comment, its signature or options, errors and example. */
import ts from 'typescript'

const plain = ts.createPrinter({ removeComments: true })
const commented = ts.createPrinter()
const MAX_SIGNATURE_LENGTH = 4000

/** Text of a comment within markdown: what looks like a tag is text. */
const prose = (text) => text.replace(/(?<!`)<(?=[A-Za-z/!])/g, '&lt;')
const cell = (text) =>
  prose(text)
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ')
const code = (text) => `\`${text.replaceAll('|', '\\|')}\``

/** Members of classes and interfaces keep their comments; the comment of the declaration itself stands above as text. */
const printed = (node) =>
  (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) ? commented : plain)
    .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
    .replace(/^(?:\/\*\*[\s\S]*?\*\/\s*)+/, '')
    .replace(/^export (?:declare )?/, '')
    .replace(/^ {4}/gm, '  ')

const TITLES = [
  ['returns', 'Returns'],
  ['throws', 'Throws'],
  ['typeParam', 'Type parameter'],
  ['deprecated', 'Deprecated'],
]

/** `home` says on which page a symbol is documented, and by which name. Names without a comment are collected in `missing`. */
export const createDescriber = ({ checker, home, resolve }) => {
  const missing = []
  const byName = new Map()
  for (const { page, name } of home.values()) if (!byName.has(name)) byName.set(name, page)

  const link = (name, page, text = name) =>
    `[\`${text}\`](/reference/${page === 'index' ? '' : page}#${name.toLowerCase()})`
  /** The name that a page exports, as a link to where it is documented, perhaps by another name. */
  const linked = (symbol) => {
    const { name, page } = home.get(resolve(symbol))
    return link(name, page, symbol.name)
  }
  const linkedName = (name) => (byName.has(name) ? link(name, byName.get(name)) : `\`${name}\``)
  const textOf = (parts) =>
    ts.displayPartsToString(parts).replace(/\{@link (\w+)[^}]*\}/g, (_, name) => linkedName(name))
  const tagsOf = (symbol, name) =>
    symbol.getJsDocTags(checker).flatMap((tag) => (tag.name === name ? [textOf(tag.text ?? [])] : []))

  const optionRow = (member) => {
    const property = checker.getSymbolAtLocation(member.name)
    const [fallback = ''] = tagsOf(property, 'default')
    const isLiteral = /^[-\d'"[{]|^(?:true|false|none)$/.test(fallback)
    const type = member.type?.getText().replace(/\s+/g, ' ') ?? ''
    const name = `${property.name}${member.questionToken ? '?' : ''}`
    const meaning = cell(textOf(property.getDocumentationComment(checker)))
    return `| ${code(name)} | ${code(type)} | ${isLiteral ? code(fallback) : cell(fallback)} | ${meaning} |`
  }

  /** An interface of properties as a table, everything else as its declaration. */
  const shape = (declarations) => {
    const [declaration] = declarations
    const members = ts.isInterfaceDeclaration(declaration) ? [...declaration.members] : []
    if (members.length > 0 && members.every((member) => ts.isPropertySignature(member) && member.name))
      return `| | Type | Default | |\n|---|---|---|---|\n${members.map(optionRow).join('\n')}`
    const texts = declarations.map((one) => (ts.isVariableDeclaration(one) ? `const ${printed(one)}` : printed(one)))
    const text = [...new Set(texts)].join('\n')
    return `\`\`\`ts\n${text.length > MAX_SIGNATURE_LENGTH ? `${text.slice(0, MAX_SIGNATURE_LENGTH)}\n…` : text}\n\`\`\``
  }

  /** A module that is exported as a name, such as `z`: the comment of its file, and its names. */
  const describeModule = (symbol, target, subpath) => {
    const [file] = target.declarations
    const comment = /^\/\*\*([\s\S]*?)\*\//.exec(file.text)?.[1] ?? ''
    const text = comment
      .replace(/^\s*\* ?/gm, '')
      .replace(/@module[\s\S]*/, '')
      .trim()
    if (!text) missing.push(`${subpath} ${symbol.name}`)
    const names = checker
      .getExportsOfModule(target)
      .map((one) => (home.has(resolve(one)) ? linked(one) : code(one.name)))
    return `## ${symbol.name}\n\n${prose(text)}\n\n${names.join(', ')}`
  }

  const describe = (symbol, subpath) => {
    const target = resolve(symbol)
    if (target.flags & ts.SymbolFlags.ValueModule) return describeModule(symbol, target, subpath)
    const comment = textOf(target.getDocumentationComment(checker))
    if (!comment) missing.push(`${subpath} ${symbol.name}`)
    return [
      `## ${symbol.name}`,
      prose(comment),
      target.declarations?.length && shape(target.declarations),
      ...TITLES.flatMap(([name, title]) =>
        tagsOf(target, name).map((text) => `**${title}** ${prose(text.replace(/^\{(\w+)\}/, '`$1`'))}`),
      ),
      ...tagsOf(target, 'example').map((text) => `\`\`\`ts\n${text.trim()}\n\`\`\``),
    ]
      .filter(Boolean)
      .join('\n\n')
  }
  return { describe, linked, missing }
}

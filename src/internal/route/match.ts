/** Tree nodes after parameters with a pattern. Calling it searches those whose pattern matches a value. */
export interface PatternBranches<Node> {
  <Found>(text: string, walk: (node: Node) => Found | undefined): Found | undefined
  readonly nodes: Map<string, readonly [RegExp, Node]>
}

/** The `patternBranches` are tried before the node, if it is the node after a plain parameter. */
export interface RouterNode<Node> {
  patternBranches?: PatternBranches<Node>
}

/** Finds or creates the tree node after a parameter with a pattern. */
export interface ParamPattern {
  <Node extends RouterNode<Node>>(param: Node, create: (text: string) => Node): Node
  readonly source: string
}

export type Where = Readonly<Record<string, ParamPattern>>

/** A method, a pattern as `normalizePattern` returns it, and what is found there. Method `*` is every method. */
export interface RouterEntry<T> {
  readonly method: string
  readonly path: string
  readonly value: T
  readonly where?: Where | undefined
}

/** The result of a lookup. There are no `params` if the pattern has none, so a static hit allocates nothing. */
export interface Match<T> {
  readonly value: T
  readonly params?: Record<string, string> | undefined
}

/** Finds the route for a method and a path. */
export interface Router<T> {
  /** Methods that have their own routes; `*` is every other. */
  readonly methods: ReadonlySet<string>
  /** The first route of any method if `method` is empty. @throws {URIError} for a malformed escape in a parameter. */
  find(method: string, path: string): Match<T> | undefined
}

/** Creates a router. `strict` makes a trailing slash significant in patterns and paths. */
export type CreateRouter = <T>(entries: readonly RouterEntry<T>[], strict?: boolean) => Router<T>

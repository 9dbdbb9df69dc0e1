/** The messages of an error at each level of the input. */
export interface IssueTree {
  [key: string | number]: IssueTree
  _errors: unknown[] & IssueTree
}

/** A level without messages. */
export const emptyLevel = (): IssueTree => ({ _errors: [] as never })

/** The child `key` of a level. `_errors` and `__proto__` cannot be children; their messages stay at the level. */
export const childLevel = (level: IssueTree, key: string | number): IssueTree => {
  if (key === '_errors' || key === '__proto__') return level
  if (!Object.hasOwn(level, key)) level[key] = emptyLevel()
  return level[key]!
}

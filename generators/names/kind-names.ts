import { didYouMean } from '../suggest.ts'

/** What `generate` takes, in the order of the help. Their code is loaded when it runs. */
export const KIND_NAMES: readonly string[] = [
  ...['model', 'controller', 'middleware', 'migration', 'validator', 'service', 'factory', 'seed', 'provider'],
  ...['auth', 'resource'],
]

/** The message for a word that is not a kind. */
export const unknownKind = (kind: string): string =>
  `There is no kind "${kind}".${didYouMean(kind, KIND_NAMES)}\nKinds: ${KIND_NAMES.join(', ')}`

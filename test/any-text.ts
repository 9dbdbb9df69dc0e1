import fc from 'fast-check'

const codePoint = fc.oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))

/**
 * Any text without halves of surrogate pairs. For the same, `fc.string({ unit: 'binary' })` fills a map with a million
 * characters, which takes each process a second.
 */
export const anyText = (length: fc.ArrayConstraints = {}): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string(length as fc.StringConstraints),
    fc.array(codePoint, length).map((points) => String.fromCodePoint(...points)),
  )

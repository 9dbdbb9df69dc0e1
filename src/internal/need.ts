/**
 * Refuse a bad option when the thing is made: its name, its value and what it should have been.
 *
 * @throws {TypeError} unless `fine`.
 */
export const need = (fine: unknown, option: string, value: unknown, expected: string): void => {
  if (!fine) throw new TypeError(`${option}: ${String(value)} is not ${expected}`)
}

/**
 * Half of a character (URL Standard, "scalar value string"). JSON of a client may contain one, and it has no escaped
 * form: `encodeURIComponent` throws. As Fetch does, replace it by U+FFFD.
 */
export const LONE_SURROGATE: RegExp = /[\ud800-\udfff]/gu

import { TEXT } from '../../internal/header/text-type.ts'

/**
 * A plain text whose headers nobody has looked at. Bun sends a text without a type as plain text, unless it is empty,
 * and creates a response without headers in half of the time: so the field is set for those who ask.
 */
export class TextResponse extends Response {
  /** Whether the headers may have been changed. */
  declare '~seen'?: true

  override get headers(): Headers {
    const headers = super.headers
    if (!this['~seen']) {
      this['~seen'] = true
      headers.set('content-type', TEXT)
    }
    return headers
  }

  override clone(): Response {
    // The platform copies its own headers
    void this.headers
    return super.clone()
  }
}

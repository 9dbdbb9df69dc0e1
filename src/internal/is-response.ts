/** Whether a value is a response. Not `instanceof`: that would load the platform's class. */
export const isResponse = (value: unknown): value is Response =>
  typeof (value as Response | undefined)?.status === 'number' && 'headers' in (value as Response)

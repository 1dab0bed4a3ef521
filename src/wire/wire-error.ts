/** A refusal of the wire itself: its code, and the text of its data, go out as they are. */
export class WireError extends Error {
  readonly code: number
  readonly dataJson: string | undefined

  constructor(code: number, message: string, data?: object) {
    super(message)
    this.code = code
    this.dataJson = data === undefined ? undefined : JSON.stringify(data)
  }
}

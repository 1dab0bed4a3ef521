/** A server broke the form of stdio; its process is ended. The message is a sentence of ours about it. */
export class BrokenForm extends Error {
  readonly isTooLong: boolean

  constructor(message: string, isTooLong: boolean) {
    super(message)
    this.isTooLong = isTooLong
  }
}

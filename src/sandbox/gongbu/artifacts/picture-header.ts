/** A picture, reading its header first and its content only when `decode` is called. */
export interface PictureHeader {
  width: number
  height: number
  /** Whether the whole content is sound. */
  isSound(): boolean
}

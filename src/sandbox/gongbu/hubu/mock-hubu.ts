/** The in-process stand-in for Hubu (G 5.4). */
export interface MockHubuSetting {
  /** Default 1000. */
  maximumMinor?: number
}

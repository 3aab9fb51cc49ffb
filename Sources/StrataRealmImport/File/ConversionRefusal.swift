import GRDB

/// The reason why a conversion was refused: the `underlyingError` of the error.
public struct ConversionRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// What a file of this library can't hold, and no choice was made for.
  public let findings: ConversionFindings

  public var description: String { findings.description }
}

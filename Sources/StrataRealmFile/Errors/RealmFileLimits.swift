/// The limits of reading a file, so that a damaged or malicious one can't exhaust the memory.
///
/// Bytes of a file can be shared: a thousand values may name the same text of 16 MB. What is handed
/// out is therefore counted, for each reading of a class or of a whole file.
public struct RealmFileLimits: Sendable, Hashable {
  /// How many decoded bytes each byte of the file allows.
  public var decodedBytesPerByte: Int
  /// How many decoded bytes are allowed besides.
  public var decodedBytes: Int

  /// The limits that no file that Realm writes reaches: 64 bytes for each byte, and 64 MB.
  public init(decodedBytesPerByte: Int = 64, decodedBytes: Int = 64_000_000) {
    self.decodedBytesPerByte = decodedBytesPerByte
    self.decodedBytes = decodedBytes
  }

  /// The bytes that a file of a size may decode to. Limits without end are those of `Int`.
  func decodedBytes(fileSize: Int) -> Int {
    let (product, isTooLarge) = max(0, decodedBytesPerByte).multipliedReportingOverflow(
      by: fileSize)
    let (sum, isTooLargeSum) = product.addingReportingOverflow(max(0, decodedBytes))
    return isTooLarge || isTooLargeSum ? .max : sum
  }
}

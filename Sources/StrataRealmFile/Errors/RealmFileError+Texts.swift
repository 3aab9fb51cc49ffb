/// The sentences of failures that more than one place throws.
extension RealmFileError {
  /// The file contradicts itself at a byte.
  static func damaged(_ problem: String, at offset: Int?) -> RealmFileError {
    RealmFileError(
      .damaged, "The file is damaged: " + problem,
      repair: "Read a backup of the file, or a copy that Realm makes with 'writeCopy'.",
      place: Place(offset: offset))
  }

  static func truncated(_ problem: String) -> RealmFileError {
    RealmFileError(
      .truncated, "The end of the file is missing: " + problem,
      repair: "Copy the file again, while no program has it open.")
  }

  static func limitExceeded(_ limits: RealmFileLimits, fileSize: Int, at offset: Int?)
    -> RealmFileError
  {
    RealmFileError(
      .limitExceeded,
      "The values of the file take more than \(limits.decodedBytes(fileSize: fileSize)) bytes",
      repair: "The file repeats its bytes, as damaged files do. If it is right, raise "
        + "'RealmFileLimits.decodedBytesPerByte' or 'RealmFileLimits.decodedBytes'.",
      place: Place(offset: offset))
  }

  static let changed = RealmFileError(
    .changed, "The file was written to while it was read",
    repair: "Close the program that uses it, or read a copy that Realm makes with 'writeCopy'.")

  static func wrongType(_ type: String, _ accessor: String) -> RealmFileError {
    RealmFileError(
      .wrongType, "A value of type '\(type)' isn't read with '\(accessor)'",
      repair: "Use the method of its type, or 'value'.")
  }

  static let noObject = RealmFileError(
    .noObject, "The cursor is at no element",
    repair: "Call 'next()' first, and read values only after it returned true.")
}

/// An open file: its bytes, and what it says of itself.
final class OpenFile: Sendable {
  let bytes: FileBytes
  let schema: FileSchema
  let limits: RealmFileLimits
  let path: String?

  init(_ bytes: FileBytes, limits: RealmFileLimits, path: String?) throws(RealmFileError) {
    self.bytes = bytes
    self.limits = limits
    self.path = path
    do throws(RealmFileError) {
      schema = try SchemaReader.read(FileHeader(bytes), bytes, limits: limits)
    } catch {
      throw bytes.hasChanged && error.code == .damaged ? .changed : error
    }
  }

  func table(_ name: String) throws(RealmFileError) -> Table {
    guard let table = schema.tables.first(where: { $0.info.name == name }) else {
      throw RealmFileError(
        .unknownClass, "The file has no class '\(name)'",
        repair: "It has these: " + schema.tables.map(\.info.name).joined(separator: ", ") + ".",
        place: .init(path: path))
    }
    return table
  }

  func pass() throws(RealmFileError) -> Pass {
    try Pass(bytes, end: schema.end, limits: limits)
  }

  /// The failure with its place, or that the file was written to, which is why it looks damaged.
  func located(
    _ error: RealmFileError, _ table: Table, property: String? = nil, key: Int64? = nil
  ) -> RealmFileError {
    let error =
      bytes.hasChanged && [.damaged, .damagedPage, .limitExceeded].contains(error.code)
      ? .changed : error
    return error.at(path: path, className: table.info.name, property: property, objectKey: key)
  }
}

/// An open file: its bytes, and its description of itself.
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

  /// Returns the failure with its place, or `changed` if the file was written to and therefore
  /// looks damaged.
  func located(
    _ error: RealmFileError, _ table: Table, property: String? = nil, key: Int64? = nil
  ) -> RealmFileError {
    let error =
      bytes.hasChanged && [.damaged, .damagedPage, .limitExceeded].contains(error.code)
      ? .changed : error
    return error.at(path: path, className: table.info.name, property: property, objectKey: key)
  }
}

/// The open leaves of a cluster.
final class Leaves {
  /// Unmanaged, so that reading a value needs no reference counting.
  private let leaves: UnsafeMutablePointer<Unmanaged<Leaf>?>
  private let count: Int
  /// The open leaves, and their columns.
  private var open: [(column: Int, leaf: Leaf)] = []
  /// The distinct values of enumerated columns, by their refs. They are the same for all clusters.
  private var distinct: [Int: TextLeaf] = [:]

  init(count: Int) {
    self.count = count
    leaves = .allocate(capacity: count)
    leaves.initialize(repeating: nil, count: count)
  }

  deinit { leaves.deallocate() }

  /// Returns the leaf of a column; nil if it isn't open.
  @inline(__always)
  func opened(_ column: Int) -> Unmanaged<Leaf>? {
    column >= 0 && column < count ? leaves[column] : nil
  }

  func open(_ column: Int, _ leaf: Leaf) -> Unmanaged<Leaf> {
    precondition(column >= 0 && column < count)
    let unmanaged = Unmanaged.passUnretained(leaf)
    leaves[column] = unmanaged
    open.append((column, leaf))
    return unmanaged
  }

  func close() {
    for item in open { leaves[item.column] = nil }
    open.removeAll(keepingCapacity: true)
  }

  func distinctTexts(_ column: Column, in pass: Pass) throws(RealmFileError) -> TextLeaf? {
    guard let ref = column.distinctTexts else { return nil }
    if let texts = distinct[ref] { return texts }
    let texts = try TextLeaf.open(
      pass.visit(ref), isData: false, true, isShared: true, in: pass)
    distinct[ref] = texts
    return texts
  }
}

/// The array with which a table begins.
struct TableTop {
  let name: String
  let key: Int64
  let refs: Refs

  init(_ ref: Int, name: String, in pass: Pass) throws(RealmFileError) {
    self.name = name
    do throws(RealmFileError) {
      refs = try pass.refs(ref)
      guard let key = try refs.number(3), key < 1 << 31 else {
        throw RealmFileError.damaged("a table has no key", at: ref)
      }
      self.key = Int64(key)
    } catch {
      throw error.at(className: name)
    }
  }

  /// The name of the column that is the primary key.
  func primaryKey(_ columns: [ColumnsReader.KeyedColumn]) throws(RealmFileError) -> String? {
    let element = refs.elements.element(11)
    guard element & 1 == 1 else { return nil }
    let key = UInt64(bitPattern: element) >> 1
    guard let column = columns.first(where: { $0.key == key })?.column else {
      throw .damaged("the primary key is no column", at: refs.offset)
    }
    return column.property.name
  }
}

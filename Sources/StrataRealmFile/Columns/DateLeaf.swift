/// Dates: seconds behind the number that stands for nil, and nanoseconds.
final class DateLeaf: Leaf {
  private let seconds: Integers
  private let nanoseconds: Integers
  private let offset: Int

  init(_ node: Node, in pass: Pass) throws(RealmFileError) {
    let refs = try Refs(node)
    seconds = try pass.integers(refs.required(0))
    nanoseconds = try pass.integers(refs.required(1))
    offset = node.offset
    guard seconds.count == nanoseconds.count + 1 else {
      throw .damaged("dates have \(seconds.count) seconds", at: node.offset)
    }
    super.init(count: nanoseconds.count)
  }

  override var typeName: String { "date" }

  override func date(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmDate? {
    let value = seconds[index + 1]
    guard value != seconds[0] else { return nil }
    return try RealmDate(checking: value, nanoseconds[index], at: offset)
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmValue {
    try date(index, in: pass).map { .date($0) } ?? .null
  }
}

extension RealmDate {
  init(checking seconds: Int64, _ nanoseconds: Int64, at offset: Int) throws(RealmFileError) {
    guard (-999_999_999...999_999_999).contains(nanoseconds),
      seconds == 0 || nanoseconds == 0 || (seconds < 0) == (nanoseconds < 0)
    else { throw .damaged("a date has \(nanoseconds) nanoseconds", at: offset) }
    self.init(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }
}

/// A cursor over the objects of a class.
///
/// Reading can fail at each object, which a loop over a `Sequence` can't express. So this is a
/// cursor, and in asynchronous code also a sequence:
///
/// ```swift
/// let people = try file.objects("Person", reading: ["name", "age"])
/// while let person = try people.next() {
///   print(person["name"] ?? .null)
/// }
/// for try await person in try file.objects("Person") {
///   print(person)
/// }
/// for person in try file.objects("Person").all() {  // all of them in memory
///   print(person)
/// }
/// ```
///
/// A cursor goes through the objects once, and is used by one thread at a time.
public final class RealmObjects {
  private let rows: RealmRows
  private let names: [String]
  private let positions: [Int]

  init(_ rows: RealmRows, _ properties: [String]?) throws(RealmFileError) {
    self.rows = rows
    names = properties ?? rows.realmClass.properties.map(\.name)
    var positions: [Int] = []
    for name in names { positions.append(try rows.realmClass.position(of: name)) }
    self.positions = positions
  }

  /// The next object, in the order of keys; nil at the end.
  ///
  /// - Throws: ``RealmFileError``, for example if the file is damaged. Then there is no next
  ///   object.
  public func next() throws(RealmFileError) -> RealmObject? {
    try rows.next() ? try current() : nil
  }

  /// The objects that are left, in an array.
  public func all() throws(RealmFileError) -> [RealmObject] {
    var objects: [RealmObject] = []
    while let object = try next() { objects.append(object) }
    return objects
  }

  func current() throws(RealmFileError) -> RealmObject {
    var values: [RealmValue] = []
    values.reserveCapacity(positions.count)
    for position in positions { values.append(try rows.value(position)) }
    return RealmObject(
      className: rows.realmClass.name, key: rows.key, names: names, values: values)
  }
}

extension RealmObjects: AsyncSequence, AsyncIteratorProtocol {
  public func makeAsyncIterator() -> RealmObjects { self }
}

/// A cursor over the objects of a class.
///
/// Reading can fail at each object, which a `Sequence` can't express. So this is a cursor, and in
/// asynchronous code also a sequence:
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
/// A cursor passes over the objects once, and is used by one thread at a time.
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

  /// Returns the next object, in the order of keys; nil at the end.
  ///
  /// - Throws: ``RealmFileError``, for example if the file is damaged. Then there is no next
  ///   object.
  public func next() throws(RealmFileError) -> RealmObject? {
    try rows.next() ? try current() : nil
  }

  /// Returns the remaining objects in an array.
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

/// An object of a file: its key, and the values of the properties that were read.
public struct RealmObject: Sendable, Hashable {
  public let className: String
  /// The key of the object, which is unique in its class. Links store it.
  public let key: Int64
  /// The names of the properties that were read.
  public let names: [String]
  /// Their values, in the same order.
  public let values: [RealmValue]

  /// The value of a property; nil if it wasn't read, or if the class has no property of that name.
  public subscript(name: String) -> RealmValue? {
    names.firstIndex(of: name).map { values[$0] }
  }
}

extension RealmObject: CustomStringConvertible {
  /// The class, the key, and each property with its value.
  public var description: String {
    let properties = zip(names, values).map { "\($0): \($1)" }
    return "\(className) \(key) { \(properties.joined(separator: ", ")) }"
  }
}

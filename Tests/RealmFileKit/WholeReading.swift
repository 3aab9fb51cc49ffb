package import StrataRealmFile

/// Reads everything that a file says, in each way there is.
package enum WholeReading {
  /// Reads each value once, and each object of a class that links lead to.
  ///
  /// - Returns: The number of values.
  package static func run(_ file: RealmFile) throws(RealmFileError) -> Int {
    var count = 0
    let reading = try file.reading()
    for item in file.classes {
      let rows = try reading.rows(item.name)
      while try rows.next() {
        for position in item.properties.indices {
          _ = try rows.value(position)
          count += 1
        }
      }
    }
    for item in file.classes {
      try readTyped(item, of: file)
      try followLinks(item, of: file)
    }
    return count
  }

  /// Each value by the method of its type, and each text as bytes.
  private static func readTyped(_ item: RealmClass, of file: RealmFile) throws(RealmFileError) {
    let rows = try file.rows(item.name)
    while try rows.next() {
      for (position, property) in item.properties.enumerated() {
        guard property.collection == nil else {
          let elements = try rows.elements(position)
          while try elements.next() {
            if property.collection == .dictionary { _ = try elements.key() }
            if property.type == .string || property.type == .data { _ = try elements.bytes() }
            if property.type == .object { _ = try elements.link() }
            _ = try elements.value()
          }
          continue
        }
        switch property.type {
        case .int: _ = try rows.int(position)
        case .bool: _ = try rows.bool(position)
        case .float: _ = try rows.float(position)
        case .double: _ = try rows.double(position)
        case .date: _ = try rows.date(position)
        case .decimal: _ = try rows.decimal(position)?.description
        case .objectId: _ = try rows.objectId(position)
        case .uuid: _ = try rows.uuid(position)
        case .string, .data: _ = try rows.bytes(position)
        case .object: _ = try rows.link(position)
        case .mixed: _ = try rows.value(position)
        }
      }
    }
  }

  /// The first hundred objects that the links of a class lead to.
  private static func followLinks(_ item: RealmClass, of file: RealmFile) throws(RealmFileError) {
    let links = item.properties.filter { $0.type == .object && $0.collection == nil }
    guard !links.isEmpty else { return }
    let objects = try file.objects(item.name, reading: links.map(\.name))
    var rest = 100
    while let object = try objects.next() {
      for case .object(let link) in object.values {
        guard rest > 0 else { return }
        rest -= 1
        _ = try file.object(link)
      }
    }
  }
}

import RealmFileKit
import StrataRealmFile

/// Compares a file with what realm-core says of it.
struct Comparison {
  private let file: RealmFile
  private let json: JSONValue
  /// Whether the JSON was made by a newer version, with indexes of its own.
  private let isUpgraded: Bool
  private(set) var differences: [String] = []
  private(set) var values = 0

  init(_ file: RealmFile, _ json: JSONValue, isUpgraded: Bool = false) {
    self.file = file
    self.json = json
    self.isUpgraded = isUpgraded
  }

  mutating func run() throws {
    expect("\(file.fileFormat)", json["fileFormat"].description, "fileFormat")
    expect(
      file.schemaVersion.map { "\($0)" } ?? "null", json["schemaVersion"].description,
      "schemaVersion")
    expect(
      file.classes.map(\.name).sorted().description,
      json["classes"].members.map(\.key).sorted().description, "classes")
    for item in file.classes { try compare(item, json["classes"][item.name]) }
  }

  private mutating func compare(_ item: RealmClass, _ json: JSONValue) throws {
    expect("\(item.kind == .embedded)", json["embedded"].description, "\(item.name) embedded")
    expect(
      item.primaryKey ?? "null", json["primaryKey"].text ?? "null", "\(item.name) primary key")
    expect("\(item.count)", json["count"].description, "\(item.name) count")
    expect(
      item.properties.map(\.name).description,
      json["properties"].elements.compactMap { $0["name"].text }.description,
      "\(item.name) properties")
    for (property, json) in zip(item.properties, json["properties"].elements) {
      let place = "\(item.name).\(property.name)"
      expect(property.type.rawValue, json["type"].text ?? "null", place)
      expect(
        property.collection?.rawValue ?? "null", json["collection"].text ?? "null",
        place + " collection")
      expect("\(property.isOptional)", json["optional"].description, place + " optional")
      expect(property.target ?? "null", json["target"].text ?? "null", place + " target")
      if !isUpgraded {
        // A primary key has an index without declaring it.
        let index = property.name == item.primaryKey ? .general : property.index
        expect(
          index?.rawValue.lowercased() ?? "null", json["index"].text ?? "null",
          place + " index")
      }
    }
    try compareObjects(of: item, json["objects"].elements)
  }

  private mutating func compareObjects(of item: RealmClass, _ json: [JSONValue]) throws {
    let objects = try file.objects(item.name)
    var count = 0
    while let object = try objects.next() {
      guard count < json.count else { break }
      let expected = json[count]
      count += 1
      expect("\(object.key)", expected["key"].description, "\(item.name) key")
      for (property, value) in zip(item.properties, object.values) {
        expect(
          JSONValue(value, of: property).description,
          expected["values"][property.name].normalized(property).description,
          "\(item.name) \(object.key) \(property.name)")
        values += 1
      }
    }
    expect("\(count)", "\(json.count)", "\(item.name) objects read")
    let rest = try objects.next()
    expect(rest.map { "object \($0.key)" } ?? "nil", "nil", "\(item.name) after the end")
  }

  private mutating func expect(_ actual: String, _ expected: String, _ place: String) {
    if actual != expected { differences.append("\(place): \(actual), not \(expected)") }
  }
}

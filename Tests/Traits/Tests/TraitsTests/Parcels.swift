import Foundation
import Strata

final class Parcel: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var city: String

  convenience init(_ number: Int, _ city: String) {
    self.init()
    self.number = number
    self.city = city
  }
}

/// A folder of one test.
final class Folder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      print("\(url.path) can't be removed: \(error)")
    }
  }

  func configuration(_ observers: [any RealmActivityObserver] = []) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: url.appendingPathComponent("parcels.sqlite"), objectTypes: [Parcel.self])
    configuration.observers = observers
    return configuration
  }
}

import Foundation
import Strata

/// The location of the tenants' files.
enum TenantPlace: Sendable {
  /// A folder with a file for each tenant, which this program writes.
  case files(URL)
  /// A folder with a replica for each tenant, which `strata follow` keeps up to date.
  case replicas(URL)

  var isReadOnly: Bool {
    switch self {
    case .files: false
    case .replicas: true
    }
  }

  private var folder: URL {
    switch self {
    case .files(let folder), .replicas(let folder): folder
    }
  }

  private var pathExtension: String { isReadOnly ? "replica" : "sqlite" }

  func url(_ name: TenantName) -> URL {
    folder.appendingPathComponent("\(name).\(pathExtension)")
  }

  func configuration(_ name: TenantName) -> Realm.Configuration {
    isReadOnly
      ? ShopFile.configuration(replica: url(name)) : ShopFile.configuration(url(name))
  }

  func has(_ name: TenantName) -> Bool {
    FileManager.default.fileExists(atPath: url(name).path)
  }

  func makeFolder() throws {
    guard !isReadOnly else { return }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The names of all tenants, open or not. Files with other names are ignored.
  func names() throws -> [TenantName] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == pathExtension }
      .compactMap { try? TenantName($0.deletingPathExtension().lastPathComponent) }
  }
}

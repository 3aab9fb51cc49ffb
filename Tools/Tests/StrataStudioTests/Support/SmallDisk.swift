#if os(Linux)
  import Foundation
  import TestKit
  import Testing

  /// A disk of a few hundred kilobytes, which is memory of the system. Only an administrator can
  /// have one.
  final class SmallDisk {
    let url: URL

    struct Refusal: Error {}

    static let canBeMade: Bool = {
      do {
        _ = try SmallDisk(kilobytes: 64)
        return true
      } catch {
        return false
      }
    }()

    init(kilobytes: Int) throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("strata-disk-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      guard
        geteuid() == 0,
        try Self.succeeds(
          "mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.path])
      else {
        try FileManager.default.removeItem(at: folder)
        throw Refusal()
      }
      // Last: what has all of its properties is removed as a disk, also when it throws.
      url = folder
    }

    deinit {
      do {
        guard try Self.succeeds("umount", ["--lazy", url.path]) else { throw Refusal() }
        try FileManager.default.removeItem(at: url)
      } catch {
        Issue.record("The disk of the test can't be removed: \(error)")
      }
    }

    private static func succeeds(_ program: String, _ arguments: [String]) throws -> Bool {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [program] + arguments
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus == 0
    }

    private var filler: String { url.appendingPathComponent("filler").path }

    /// Takes all room that is left, to the last byte.
    func fill() throws {
      let descriptor = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let piece = [UInt8](repeating: 0, count: 4096)
      while write(descriptor, piece, piece.count) > 0 {}
      expectEqual(errno, ENOSPC)
    }

    /// Gives the room back.
    func empty() { unlink(filler) }
  }
#endif

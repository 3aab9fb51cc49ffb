import Foundation

/// A new file in a private folder for the body of a request.
struct UploadFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// - Throws: ``RequestFailure`` with status 507 if the file can't be created.
  init(inFolder folder: String) throws(RequestFailure) {
    path = "\(folder)/upload-\(UUID().uuidString)"
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(errno) }
  }

  /// - Throws: ``RequestFailure`` with status 507, for example because the disk is full.
  func write(_ bytes: ArraySlice<UInt8>) throws(RequestFailure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Closes the file.
  ///
  /// - Throws: ``RequestFailure`` with status 507 if the data wasn't written completely.
  func close() throws(RequestFailure) {
    guard Foundation.close(descriptor) == 0 else { throw Self.failure(errno) }
  }

  /// Reads an uploaded file.
  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Deletes the file, if it still exists.
  static func remove(_ path: String) { unlink(path) }

  private static func failure(_ number: Int32) -> RequestFailure {
    RequestFailure(
      .insufficientStorage, "noRoom",
      "The file can't be kept while it is read (\(String(cString: strerror(number)))). Free some space "
        + "in the folder for temporary files.")
  }
}

import Foundation

/// A limit that the system sets to the process.
enum ProcessLimit {
  case fileBytes, openFiles

  /// Nil without such a limit.
  var value: UInt64? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < Int64.max else { return nil }
    return UInt64(limit.rlim_cur)
  }

  #if canImport(Glibc)
    private var resource: __rlimit_resource_t {
      switch self {
      case .fileBytes: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      case .openFiles: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      }
    }
  #else
    private var resource: CInt {
      switch self {
      case .fileBytes: RLIMIT_FSIZE
      case .openFiles: RLIMIT_NOFILE
      }
    }
  #endif
}

package import Foundation

/// The users who may read and write a file, for copies of it that must be neither more open nor
/// less.
package struct FilePermissions: Sendable, Equatable {
  var mode: mode_t
  package var owner: uid_t
  package var group: gid_t

  /// Nil when there is no file.
  package init?(of url: URL) {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return nil }
    mode = status.st_mode & 0o777
    owner = status.st_uid
    group = status.st_gid
  }

  /// The same, but that the owner may write.
  package var writable: FilePermissions {
    var permissions = self
    permissions.mode |= S_IWUSR
    return permissions
  }

  /// Whether nobody is to write the file, not even who could.
  var isReadOnly: Bool { mode & 0o222 == 0 }

  /// Gives them to an open file.
  ///
  /// Only the administrator can give a file to another user: a copy that another user makes belongs
  /// to that user. Where it can't have the same group either, its group gets the permissions of
  /// others.
  package func apply(to descriptor: Int32) -> Bool {
    var mode = mode
    if fchown(descriptor, owner, group) != 0, fchown(descriptor, uid_t.max, group) != 0 {
      mode = mode & ~S_IRWXG | mode & S_IRWXO << 3
    }
    return fchmod(descriptor, mode) == 0
  }

  /// Whether the process may use room that is reserved for the administrator.
  static var isAdministrator: Bool { geteuid() == 0 }

  /// Whether the process may do something with a path, as the user in whose name it acts.
  static func allows(_ permission: Int32, _ path: String) -> Bool {
    faccessat(AT_FDCWD, path, permission, AT_EACCESS) == 0
  }
}

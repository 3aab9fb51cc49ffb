package import Foundation

/// The users who may read and write a file, so that its copies get exactly the same permissions.
package struct FilePermissions: Sendable, Equatable {
  var mode: mode_t
  package var owner: uid_t
  package var group: gid_t

  /// Returns nil if there is no file.
  package init?(of url: URL) {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return nil }
    mode = status.st_mode & 0o777
    owner = status.st_uid
    group = status.st_gid
  }

  /// The same permissions, except that the owner may write.
  package var writable: FilePermissions {
    var permissions = self
    permissions.mode |= S_IWUSR
    return permissions
  }

  /// Whether no user has write permission, even if the process could write as administrator.
  var isReadOnly: Bool { mode & 0o222 == 0 }

  /// Applies the permissions to an open file. Returns false if the system refuses.
  ///
  /// Only the administrator can change the owner of a file, so a copy that another user makes
  /// belongs to that user. If the copy can't have the same group either, its group gets the
  /// permissions of others.
  package func apply(to descriptor: Int32) -> Bool {
    var mode = mode
    if fchown(descriptor, owner, group) != 0, fchown(descriptor, uid_t.max, group) != 0 {
      mode = mode & ~S_IRWXG | mode & S_IRWXO << 3
    }
    return fchmod(descriptor, mode) == 0
  }

  /// Whether the process may use disk space that is reserved for the administrator.
  static var isAdministrator: Bool { geteuid() == 0 }

  /// Whether the process's effective user has a permission for a path.
  static func allows(_ permission: Int32, _ path: String) -> Bool {
    faccessat(AT_FDCWD, path, permission, AT_EACCESS) == 0
  }
}

/// The release of this library, for the history in files.
package enum LibraryRelease {
  package static let current = "0.1.0"
}

/// A reference to an object by class and identity.
struct ObjectLink: Hashable, Sendable {
  var className: String
  var identity: Int64
}

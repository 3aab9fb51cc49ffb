import StrataStorage

/// Stops the process in a member of a base class that each class of it needs to override.
func mustOverride(_ object: AnyObject, _ member: StaticString = #function) -> Never {
  stopForProgrammerError("\(type(of: object)) must override '\(member)'.")
}

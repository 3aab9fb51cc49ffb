import StrataStorage

extension RealmError {
  /// A class that a realm was opened without; with the reason for one that can't be discovered.
  static func notManaged(_ type: ObjectBase.Type) -> RealmError {
    let className = type.className()
    let isGeneric = ClassDescriptor(type)?.isGeneric ?? false
    return RealmError(
      .fail,
      ErrorText.notManaged(className)
        + (isGeneric ? ErrorText.genericClass(className) : DefaultClasses.reason(without: type)))
  }
}

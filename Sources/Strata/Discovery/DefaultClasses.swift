import StrataStorage

/// The choice of classes for a realm whose configuration names none, if the program has classes
/// that can't all be in one realm. A class that isn't used must not make the others unusable.
enum DefaultClasses {
  /// Returns a function that tells whether one of the classes links to a class.
  static func used(_ infos: [ClassInfo]) -> (ObjectIdentifier) -> Bool {
    let targets = infos.flatMap { info in
      info.targets.compactMap { $0 }.filter { $0 != info.type }.map { ObjectIdentifier($0) }
    }
    return Set(targets).contains
  }

  /// Removes classes that are additional views of a table: several classes have the same name, and
  /// at least one of them gets it from `_realmObjectName()`.
  ///
  /// The class whose own name it is stays. Without such a class, or with several, all are views. If
  /// another class links to a view, all classes of that name stay; the caller reports this error.
  static func withoutViews(_ infos: [ClassInfo]) -> [ClassInfo] {
    let names = Dictionary(grouping: infos, by: \.className)
    var views: Set<ObjectIdentifier> = []
    let isUsed = used(infos)
    for group in names.values where group.count > 1 {
      let own = group.filter { $0.type._realmObjectName() == nil }
      guard own.count <= 1 else { continue }
      let others = group.filter { info in !own.contains { $0 === info } }
      guard !others.contains(where: { isUsed(ObjectIdentifier($0.type)) }) else { continue }
      views.formUnion(others.map { ObjectIdentifier($0.type) })
    }
    return views.isEmpty ? infos : infos.filter { !views.contains(ObjectIdentifier($0.type)) }
  }

  /// The reason why a realm that names no classes excludes a class; "" for another reason.
  static func reason(without type: ObjectBase.Type) -> String {
    do throws(RealmError) {
      _ = try ClassInfo.of(type)
      let name = type.className()
      let views = try DiscoveredSchema.allTypes().filter { $0.className() == name }
      guard views.count > 1, views.contains(where: { $0._realmObjectName() != nil }) else {
        return ""
      }
      let names = views.map { String(reflecting: $0) }.sorted().joined(separator: ", ")
      return " '\(name)' is the name of \(names): list the one that this realm is used with in "
        + "'objectTypes'."
    } catch {
      return " \(error.message)"
    }
  }
}

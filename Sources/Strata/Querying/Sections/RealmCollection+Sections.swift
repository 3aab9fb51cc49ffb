import StrataStorage

extension RealmCollection where Element: ObjectBase {
  /// Returns the objects in sections by a property, sorted by this property.
  ///
  /// The key path may also be a computed property that reads one stored property, such as its first
  /// letter. The objects are then sorted by the stored property.
  ///
  /// ```swift
  /// let sections = realm.objects(Person.self).sectioned(by: \.firstLetter, ascending: true)
  /// ```
  ///
  /// A key path that reads no property, or several, is an error, and there are no sections. Inside
  /// of `write`, the transaction throws the error; elsewhere it is reported. Use sort descriptors
  /// or a closure instead.
  public func sectioned<Key: Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    guard let name = readPath(of: keyPath)?.text else {
      let error = RealmError(.fail, ErrorText.computedKeyPath(Element.className(), "\(Key.self)"))
      return SectionedResults(_results.none(error)) { $0[keyPath: keyPath] }
    }
    return SectionedResults(sorted(byKeyPath: name, ascending: ascending)) {
      $0[keyPath: keyPath]
    }
  }

  /// Returns the objects in sections by a property, in an order that begins with this property.
  ///
  /// ```swift
  /// people.sectioned(by: \.city, sortDescriptors: ["city", "name"])
  /// ```
  ///
  /// Descriptors that begin with another property, or an empty list, are an error, and there are no
  /// sections. Inside of `write`, the transaction throws the error; elsewhere it is reported.
  public func sectioned<Key: Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    // A key path that reads several properties can't be compared with a descriptor.
    if let first = sortDescriptors.first, let name = readPath(of: keyPath)?.text,
      first.mistake == nil, first.keyPath != name
    {
      let error = RealmError(.fail, ErrorText.sectionOrder(name, first.keyPath))
      return SectionedResults(_results.none(error)) { $0[keyPath: keyPath] }
    }
    return sectioned(by: { $0[keyPath: keyPath] }, sortDescriptors: sortDescriptors)
  }

  /// Returns the objects in sections by the result of a closure.
  ///
  /// The closure is called for each object, and again after each change. Objects with the same key
  /// should be consecutive in the order of the descriptors.
  ///
  /// ```swift
  /// people.sectioned(by: { $0.age >= 18 }, sortDescriptors: ["age"])
  /// ```
  ///
  /// An empty list of descriptors is an error, and there are no sections. Inside of `write`, the
  /// transaction throws the error; elsewhere it is reported.
  public func sectioned<Key: Hashable>(
    by key: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    guard !sortDescriptors.isEmpty else {
      return SectionedResults(_results.none(RealmError(.fail, ErrorText.noSectionOrder)), key: key)
    }
    return SectionedResults(sorted(by: sortDescriptors), key: key)
  }

  /// Returns the objects in sections by the result of a closure: see
  /// `sectioned(by:sortDescriptors:)`.
  public func sectioned<Key: Hashable>(
    sortDescriptors: [SortDescriptor], _ key: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    sectioned(by: key, sortDescriptors: sortDescriptors)
  }
}

extension RealmCollection where Element: Persistable {
  /// Returns the sorted values in sections by the result of a closure.
  public func sectioned<Key: Hashable>(
    by key: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    SectionedResults(_results.inOrder(ascending: ascending), key: key)
  }
}

extension ErrorText {
  static let noSectionOrder =
    "Can not section Results with empty sortDescriptor parameter. Give one for the property that "
    + "the key of a section comes from."

  /// Returns the error for a key that isn't the first sort descriptor.
  static func sectionOrder(_ key: String, _ order: String) -> String {
    "The section key path must match the primary sort descriptor. The key is '\(key)', and the "
      + "objects are sorted by '\(order)': begin with a descriptor for '\(key)'."
  }
}

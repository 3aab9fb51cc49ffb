/// The reason why a file can't be read: what is wrong, where, and how to repair it.
///
/// ```swift
/// do {
///   let file = try RealmFile(url)
/// } catch let error as RealmFileError where error.code == .encrypted {
///   // The file needs its key.
/// }
/// ```
public struct RealmFileError: Error, Sendable, Hashable {
  /// The kind of failure. New codes may appear in minor releases.
  public var code: Code

  /// What is wrong, as a sentence without the place and the repair. It contains no values of
  /// objects.
  public var problem: String

  /// How to repair it, as one or more sentences.
  public var repair: String

  /// Where it is.
  public var place: Place

  package init(_ code: Code, _ problem: String, repair: String, place: Place = Place()) {
    self.code = code
    self.problem = problem
    self.repair = repair
    self.place = place
  }
}

extension RealmFileError {
  /// The location of a failure: as much of it as is known.
  public struct Place: Sendable, Hashable {
    /// The path of the file; nil for bytes in memory.
    public var path: String?
    /// The class, or the name of a table that is no class.
    public var className: String?
    /// The property, as the file names it.
    public var property: String?
    /// The key of the object.
    public var objectKey: Int64?
    /// The position in the file, in bytes from its start; in an encrypted one, in what it decrypts
    /// to.
    public var offset: Int?

    package init(
      path: String? = nil, className: String? = nil, property: String? = nil,
      objectKey: Int64? = nil, offset: Int? = nil
    ) {
      self.path = path
      self.className = className
      self.property = property
      self.objectKey = objectKey
      self.offset = offset
    }
  }

  /// The failure with more of its place. What is known already stays.
  package func at(
    path: String? = nil, className: String? = nil, property: String? = nil,
    objectKey: Int64? = nil
  ) -> RealmFileError {
    var error = self
    error.place.path = place.path ?? path
    error.place.className = place.className ?? className
    error.place.property = place.property ?? property
    error.place.objectKey = place.objectKey ?? objectKey
    return error
  }
}

extension RealmFileError: CustomStringConvertible {
  /// The place, the problem and the repair.
  public var description: String {
    let start = place.path.map { "'\($0)': " } ?? ""
    let details = place.description
    return start + problem + (details.isEmpty ? "" : " (\(details))") + ". " + repair
  }
}

extension RealmFileError.Place: CustomStringConvertible {
  /// The place inside of the file: the class, the property, the object and the byte.
  public var description: String {
    var parts: [String] = []
    if let className { parts.append("class '\(className)'") }
    if let property { parts.append("property '\(property)'") }
    if let objectKey { parts.append("object \(objectKey)") }
    if let offset { parts.append("byte \(offset)") }
    return parts.joined(separator: ", ")
  }
}

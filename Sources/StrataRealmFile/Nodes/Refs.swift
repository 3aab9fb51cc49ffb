/// The elements of an array that has refs: nothing, another array, or a tagged number.
struct Refs {
  let elements: Integers
  /// The position of the array, for errors.
  let offset: Int

  init(_ node: Node) throws(RealmFileError) {
    guard node.hasRefs, node.encoding == .bits else {
      throw .damaged("an array of refs is expected", at: node.offset)
    }
    elements = Integers(node)
    offset = node.offset
  }

  var count: Int { elements.count }

  /// The ref at a position; nil for 0, and behind the end.
  func ref(_ index: Int) throws(RealmFileError) -> Int? {
    let element = elements.element(index)
    guard element != 0 else { return nil }
    guard element & 1 == 0, element > 0 else {
      throw .damaged("element \(index) of an array is no ref", at: offset)
    }
    return Int(element)
  }

  /// The ref at a position that must have one.
  func required(_ index: Int) throws(RealmFileError) -> Int {
    guard let ref = try ref(index) else {
      throw .damaged("element \(index) of an array is missing", at: offset)
    }
    return ref
  }

  /// The tagged number at a position; nil for 0, and behind the end.
  func number(_ index: Int) throws(RealmFileError) -> UInt64? {
    let element = elements.element(index)
    guard element != 0 else { return nil }
    guard element & 1 == 1 else {
      throw .damaged("element \(index) of an array is no tagged number", at: offset)
    }
    return UInt64(bitPattern: element) >> 1
  }

  /// The tagged number at a position as a count that is at most a limit.
  func count(_ index: Int, upTo limit: Int) throws(RealmFileError) -> Int {
    guard let number = try number(index), number <= UInt64(limit) else {
      throw .damaged("element \(index) of an array is no count up to \(limit)", at: offset)
    }
    return Int(number)
  }
}

extension Pass {
  /// An array of refs that is reached for the first time.
  func refs(_ ref: Int) throws(RealmFileError) -> Refs { try Refs(visit(ref)) }

  /// An array of integers that is reached for the first time.
  func integers(_ ref: Int) throws(RealmFileError) -> Integers { try integers(visit(ref)) }

  func integers(_ node: Node) throws(RealmFileError) -> Integers {
    guard node.encoding == .bits, !node.hasRefs, !node.isInner else {
      throw .damaged("an array of integers is expected", at: node.offset)
    }
    return Integers(node)
  }
}

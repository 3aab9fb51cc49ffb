#if !canImport(UIKit) && !canImport(AppKit)
  public import Foundation

  // Members that UIKit and AppKit add. Programs use them for the changes of sections.
  extension IndexPath {
    /// Creates an index path from the position of an element and the position of its section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// Creates an index path from the position of a row and the position of its section.
    public init(row: Int, section: Int) { self.init(item: row, section: section) }

    /// The position of the section.
    ///
    /// ```swift
    /// for path in insertions { print("section \(path.section), element \(path.item)") }
    /// ```
    public var section: Int {
      get { self[0] }
      set { self[0] = newValue }
    }

    /// The position of the element in its section.
    public var item: Int {
      get { self[1] }
      set { self[1] = newValue }
    }

    /// The position of the element in its section, as `item`.
    public var row: Int {
      get { item }
      set { item = newValue }
    }
  }
#endif

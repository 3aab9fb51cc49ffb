#if !canImport(UIKit) && !canImport(AppKit)
  public import Foundation

  // Members that UIKit and AppKit add: programs read the changes of sections with them.
  extension IndexPath {
    /// The place of an element in its section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// The place of a row in its section, which is the same.
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

import CStudioPage

/// A file of the page, with its name.
struct PageFile: Sendable {
  let name: String
  let bytes: [UInt8]

  /// All files of the folder `Page`.
  static let all: [PageFile] = {
    var files: [PageFile] = []
    while let file = strata_page_file(files.count)?.pointee {
      let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
      files.append(PageFile(name: String(cString: file.name), bytes: Array(bytes)))
    }
    return files
  }()
}

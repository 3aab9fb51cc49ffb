import CStudioPage

/// The routes of the page's files, which contain no user data.
enum PageRoutes {
  static let all: [Route] =
    PageFile.all.flatMap { file in
      let response = Response.file(file.bytes, type: contentType(of: file.name))
      return paths(of: file.name).map { path in Route.get(path) { _ in response } }
    }

  /// Browsers request `/favicon.ico` if a page names no icon, as a plain error page does.
  private static func paths(of name: String) -> [String] {
    switch name {
    case "index.html": ["/"]
    case "favicon.svg": ["/favicon.svg", "/favicon.ico"]
    default: ["/\(name)"]
    }
  }

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}

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

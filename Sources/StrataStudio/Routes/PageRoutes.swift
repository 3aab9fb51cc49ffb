/// The routes of the page's files, which hold nothing of the user's.
enum PageRoutes {
  static let all: [Route] =
    PageFile.all.map { file in
      let response = Response.file(file.bytes, type: contentType(of: file.name))
      return .get(file.name == "index.html" ? "/" : "/\(file.name)") { _ in response }
    } + [.get("/favicon.ico") { _ in .file(Array(icon.utf8), type: "image/svg+xml") }]

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }

  /// Three layers, in the blue of the page.
  private static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#0b62c4">\
    <path d="M8 1 1 4.5 8 8l7-3.5z"/>\
    <path d="m1 7.3 7 3.5 7-3.5v1.9l-7 3.5-7-3.5z" opacity=".75"/>\
    <path d="m1 10.6 7 3.5 7-3.5v1.4L8 15.5 1 12z" opacity=".5"/></svg>
    """
}

/// The headers of every response, which protect the page from other pages.
enum SecurityHeaders {
  static let all = [
    // The page loads nothing from elsewhere, sends nothing elsewhere, and has no inline scripts.
    ResponseHeader(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    ResponseHeader("X-Content-Type-Options", "nosniff"),
    ResponseHeader("Cache-Control", "no-store"),
    // The address contains the token when the page is opened.
    ResponseHeader("Referrer-Policy", "no-referrer"),
    ResponseHeader("Cross-Origin-Opener-Policy", "same-origin"),
    ResponseHeader("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}

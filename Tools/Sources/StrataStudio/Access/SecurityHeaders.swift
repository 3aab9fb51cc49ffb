/// The headers of every response, which protect the page from other pages.
enum SecurityHeaders {
  static let all = [
    // The page loads nothing from elsewhere, sends nothing elsewhere, and has no inline scripts.
    Header(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    Header("X-Content-Type-Options", "nosniff"),
    Header("Cache-Control", "no-store"),
    // The address contains the token when the page is opened.
    Header("Referrer-Policy", "no-referrer"),
    Header("Cross-Origin-Opener-Policy", "same-origin"),
    Header("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}

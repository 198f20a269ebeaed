package org.svcmailbox.console.oidc;

import org.svcmailbox.console.page.HtmlResponses;

/** The page that reports a failed sign-in. */
final class SignInErrorPage {
  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
        <head>
          <meta charset="utf-8">
          <meta name="viewport" content="width=device-width, initial-scale=1">
          <title>Sign-in failed - Mailbox console</title>
          <link rel="stylesheet" href="/console/webjars/patternfly/patternfly.min.css">
          <link rel="stylesheet" href="/console/signin.css">
        </head>
        <body>
          <main class="signin">
            <h1 class="pf-c-title pf-m-2xl">Sign-in failed</h1>
            <p role="alert">%s</p>
            <p><a href="/console/signin">Try again</a></p>
          </main>
        </body>
      </html>
      """;

  private SignInErrorPage() {}

  static String of(String reason) {
    return PAGE.formatted(HtmlResponses.escape(reason));
  }
}

package org.svcmailbox.console.signin;

import org.svcmailbox.console.page.HtmlResponses;
import org.svcmailbox.console.page.Target;

/** The sign-in form. */
final class SignInPage {
  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
        <head>
          <meta charset="utf-8">
          <meta name="viewport" content="width=device-width, initial-scale=1">
          <title>Sign in - Mailbox console</title>
          <link rel="stylesheet" href="/console/webjars/patternfly/patternfly.min.css">
          <link rel="stylesheet" href="/console/signin.css">
          <script type="module" src="/console/signin.js"></script>
        </head>
        <body>
          <section id="connection" aria-label="Connection" role="status"></section>
          <main class="signin">
            <h1 class="pf-c-title pf-m-2xl">Mailbox console</h1>
      %s      <form class="pf-c-form" method="post" action="/console/signin">
              <input type="hidden" name="to" value="%s">
              <div class="pf-c-form__group">
                <label class="pf-c-form__label" for="user">User name</label>
                <input class="pf-c-form-control" id="user" name="user" value="%s" required
                  maxlength="100" autocomplete="username" autocapitalize="none" spellcheck="false">
              </div>
              <div class="pf-c-form__group">
                <label class="pf-c-form__label" for="password">Password</label>
                <input class="pf-c-form-control" id="password" name="password" type="password"
                  required maxlength="1000" autocomplete="current-password">
              </div>
              <button class="pf-c-button pf-m-primary pf-m-block" type="submit">Sign in</button>
            </form>
          </main>
        </body>
      </html>
      """;

  private static final String ERROR =
      """
            <div class="pf-c-alert pf-m-danger pf-m-inline" role="alert">
              <p class="pf-c-alert__title">%s</p>
            </div>
      """;

  private SignInPage() {}

  /**
   * Renders the form.
   *
   * @param error of the previous attempt; empty for the first
   */
  static String of(String error, Target target, String user) {
    String alert = error.isEmpty() ? "" : ERROR.formatted(HtmlResponses.escape(error));
    return PAGE.formatted(
        alert, HtmlResponses.escape(target.fragment()), HtmlResponses.escape(user));
  }
}

package org.svcmailbox.console.oidc;

/** The provider is unreachable or sent an invalid response. */
final class ProviderException extends Exception {
  private static final long serialVersionUID = 1L;

  ProviderException(String message) {
    super(message);
  }

  ProviderException(String message, Throwable cause) {
    super(message, cause);
  }
}

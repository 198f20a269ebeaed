package org.svcmailbox.console.oidc;

/** The provider cannot be asked, or what it says is not to be believed. */
final class ProviderException extends Exception {
  private static final long serialVersionUID = 1L;

  ProviderException(String what) {
    super(what);
  }

  ProviderException(String what, Throwable cause) {
    super(what, cause);
  }
}

package org.svcmailbox.client.http;

import java.nio.file.Path;
import java.util.function.Supplier;
import org.svcmailbox.client.AccessDeniedException;

/** Supplies the capability for calls to the service. Implementations are thread-safe. */
public interface TokenSource {
  /**
   * The token for the next call.
   *
   * @throws AccessDeniedException if there is no token; the exception's message contains none
   */
  String token();

  /**
   * The token for repeating a call that the service answered with {@code 401}.
   *
   * @param refused the token of that call
   * @return another token, or the same if there is no other; the call is then not repeated
   */
  String refreshed(String refused);

  /**
   * A fixed token.
   *
   * @throws IllegalArgumentException if it cannot be a token; the exception's message does not
   *     contain it
   */
  static TokenSource of(String token) {
    String checked = token.strip();
    if (!Tokens.isWellFormed(checked)) {
      throw new IllegalArgumentException("the token is malformed");
    }
    return new TokenSource() {
      @Override
      public String token() {
        return checked;
      }

      @Override
      public String refreshed(String refused) {
        return checked;
      }

      @Override
      public String toString() {
        return "TokenSource[constant]";
      }
    };
  }

  /** The token in a file, which is read again when the file changes or the token is refused. */
  static TokenSource file(Path file) {
    return new FileTokens(file);
  }

  /** A supplier that is called before the first call, and whenever its last token was refused. */
  static TokenSource supplier(Supplier<String> supplier) {
    return new SuppliedTokens(supplier);
  }
}

package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tokens of a supplier, which is asked by one thread at a time. */
final class SuppliedTokens implements TokenSource {
  private final Supplier<String> supplier;
  private @Nullable String last;

  SuppliedTokens(Supplier<String> supplier) {
    this.supplier = requireNonNull(supplier, "supplier");
  }

  @Override
  public synchronized String token() {
    String known = last;
    return known != null ? known : ask();
  }

  @Override
  public synchronized String refreshed(String refused) {
    String known = last;
    // Of many calls that were refused at once, the first asks.
    return known != null && !known.equals(refused) ? known : ask();
  }

  private String ask() {
    String token = Tokens.require(supplier.get());
    last = token;
    return token;
  }

  @Override
  public String toString() {
    return "TokenSource[supplier]";
  }
}

package org.svcmailbox.client.http;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Capability;
import org.svcmailbox.capability.Caveat;
import org.svcmailbox.client.AccessDeniedException;

/** The tokens of another source, each narrowed before it leaves this process. */
final class NarrowedTokens implements TokenSource {
  private record Narrowed(String from, String to) {}

  private final TokenSource source;
  private final Caveat[] caveats;
  private volatile @Nullable Narrowed last;

  /** Of the same source, with these caveats. */
  NarrowedTokens(TokenSource source, Caveat... caveats) {
    this.source = source;
    this.caveats = caveats;
  }

  @Override
  public String token() {
    return narrowed(source.token());
  }

  @Override
  public String refreshed(String refused) {
    Narrowed known = last;
    return known != null && known.to.equals(refused)
        ? narrowed(source.refreshed(known.from))
        : token();
  }

  private String narrowed(String token) {
    Narrowed known = last;
    if (known == null || !known.from.equals(token)) {
      known = new Narrowed(token, narrow(token));
      last = known;
    }
    return known.to;
  }

  private String narrow(String token) {
    try {
      return Capability.parse(token).narrow(caveats).token();
    } catch (IllegalArgumentException e) {
      throw new AccessDeniedException("the token cannot be narrowed", e);
    }
  }

  @Override
  public String toString() {
    return source.toString();
  }
}

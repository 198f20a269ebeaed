package org.svcmailbox.web.rendezvous;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rendezvous.RendezvousAdmin;

/**
 * A page of tokens.
 *
 * @param nextCursor the start of the next page; null on the last
 */
record TokenListResponse(List<TokenResponse> tokens, @Nullable String nextCursor) {
  static TokenListResponse of(RendezvousAdmin.Page page) {
    return new TokenListResponse(
        page.tokens().stream().map(TokenResponse::of).toList(), page.next());
  }
}

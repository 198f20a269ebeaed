package org.svcmailbox.web.rendezvous;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.StoredToken;

/** A token without its secret and digest. */
record TokenResponse(
    String id,
    List<String> rights,
    @Nullable String mailbox,
    String createdAt,
    @Nullable String expires,
    String note) {
  static TokenResponse of(StoredToken stored) {
    RecipientId only = stored.mailbox();
    return new TokenResponse(
        stored.id(),
        RightText.of(stored.rights()),
        only == null ? null : only.hex(),
        Timestamps.text(stored.created()),
        stored.expires() == null ? null : Timestamps.text(stored.expires()),
        stored.note());
  }

  /** Omits the mailbox. */
  @Override
  public String toString() {
    return "TokenResponse[" + id + "]";
  }
}

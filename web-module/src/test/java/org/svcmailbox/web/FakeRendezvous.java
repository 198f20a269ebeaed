package org.svcmailbox.web;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.rendezvous.AccessRules;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.RendezvousAdmin;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.StoredToken;

/** Records administrative calls for the rendezvous door. */
public final class FakeRendezvous implements RendezvousAdmin {
  static final String ID = "0123456789abcdef";
  static final String SECRET = "the-secret-token";
  static final String DIGEST = "d1".repeat(32);
  static final RecipientId MAILBOX = new RecipientId("0123456789abcdef".repeat(4));
  static final Instant CREATED = Instant.parse("2026-11-01T00:00:00Z");

  /** Thrown by every call unless null. */
  public volatile @Nullable MailboxException refusal;

  public final BlockingQueue<Object> calls = new LinkedBlockingQueue<>();

  private static StoredToken stored(
      Set<Right> rights, @Nullable RecipientId mailbox, @Nullable Instant expires) {
    return new StoredToken(ID, DIGEST, rights, mailbox, CREATED, expires, "a note");
  }

  private void note(Object call) {
    MailboxException thrown = refusal;
    if (thrown != null) {
      throw thrown;
    }
    calls.add(call);
  }

  @Override
  public Page tokens(Caller operator, String after, int limit) {
    note("tokens " + after + " " + limit);
    return new Page(
        List.of(
            stored(Set.of(Right.GET, Right.POST), null, null),
            stored(Set.of(Right.GET), MAILBOX, CREATED.plusSeconds(60))),
        ID);
  }

  @Override
  public Issued add(
      Caller operator,
      @Nullable RecipientId mailbox,
      Set<Right> rights,
      @Nullable Duration life,
      String note) {
    note(List.of("add", String.valueOf(mailbox), rights, String.valueOf(life), note));
    return new Issued(SECRET, stored(rights, mailbox, null));
  }

  @Override
  public void remove(Caller operator, String id) {
    note("remove " + id);
  }

  @Override
  public Issued rotate(Caller operator, String id, Duration overlap) {
    note("rotate " + id + " " + overlap);
    return new Issued(SECRET, stored(Set.of(Right.POST), null, null));
  }

  @Override
  public AccessRules access(Caller operator) {
    note("access");
    return new AccessRules(
        List.of(IpRange.parse("10.0.0.0/8").orElseThrow()), List.of(), 60, 120, 60);
  }

  @Override
  public void setAccess(Caller operator, AccessRules rules) {
    note(rules);
  }
}

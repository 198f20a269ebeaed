package org.svcmailbox.ejb.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.rendezvous.AccessRules;
import org.svcmailbox.core.rendezvous.RendezvousStore;
import org.svcmailbox.core.rendezvous.RendezvousStoreContract;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.StoredToken;
import org.svcmailbox.ejb.capability.JpaCapabilityStore;
import org.svcmailbox.ejb.store.TestDatabase;

/** The contract in a real database, and changes whose audit fails. */
abstract class JpaRendezvousStoreContract extends RendezvousStoreContract {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00.123Z");
  private static final AuditEntry ENTRY =
      new AuditEntry(
          NOW, new Actor("k1:00", null), "10.0.0.1", "rendezvous.test", "subject", "a note");
  private static final AccessRules RULES = new AccessRules(List.of(), List.of(), 1, 2, 3);

  private boolean isAuditAway;

  abstract TestDatabase database();

  @Override
  protected RendezvousStore open() {
    return new JpaRendezvousStore(database().transactions());
  }

  @Override
  protected RendezvousStore reopened(RendezvousStore store) {
    return open();
  }

  @Override
  protected List<AuditEntry> audit(RendezvousStore store) {
    return new JpaCapabilityStore(database().transactions())
        .audit(AuditFilter.ALL, 0, 1_000).stream().map(AuditRow::entry).toList();
  }

  private static StoredToken token(int number) {
    String digit = Integer.toString(number);
    return new StoredToken(
        digit.repeat(16), digit.repeat(64), Set.of(Right.GET), null, NOW, null, "");
  }

  @AfterEach
  void bringTheAuditBack() throws SQLException {
    if (isAuditAway) {
      execute("alter table audit_gone rename to audit");
    }
  }

  private void loseTheAudit() throws SQLException {
    execute("alter table audit rename to audit_gone");
    isAuditAway = true;
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database().source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  @Test
  void whatCannotBeAuditedIsNotDone() throws SQLException {
    RendezvousStore store = open();
    store.add(token(1), ENTRY);
    store.putAccess(RULES, ENTRY);
    loseTheAudit();
    AccessRules others = new AccessRules(List.of(), List.of(), 4, 5, 6);
    assertThrows(UnavailableException.class, () -> store.add(token(2), ENTRY));
    assertThrows(UnavailableException.class, () -> store.remove(token(1).id(), ENTRY));
    assertThrows(
        UnavailableException.class, () -> store.rotate(token(1).id(), NOW, token(3), ENTRY));
    assertThrows(UnavailableException.class, () -> store.putAccess(others, ENTRY));
    assertEquals(List.of(token(1)), open().tokens());
    assertEquals(Optional.of(RULES), open().access());
  }

  @Test
  void aRotationWhoseFreshTokenIsRefusedLeavesTheOldOneAsItWas() {
    RendezvousStore store = open();
    store.add(token(1), ENTRY);
    store.add(token(2), ENTRY);
    assertThrows(
        UnavailableException.class, () -> store.rotate(token(1).id(), NOW, token(2), ENTRY));
    assertEquals(List.of(token(1), token(2)), open().tokens());
    assertEquals(2, audit(store).size());
  }
}

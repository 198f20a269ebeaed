package org.svcmailbox.ejb.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.rendezvous.AccessRequest;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.RendezvousAdmin.Issued;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.door.RendezvousDoor;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.ejb.capability.JpaCapabilityStore;
import org.svcmailbox.ejb.capability.OwnersFile;
import org.svcmailbox.ejb.store.TestDatabase;

/** Tokens and whole recipients never appear in the log, the audit, the metrics or the database. */
class SecrecyTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  private static final RecipientId MAILBOX = new RecipientId("0123456789abcdef".repeat(4));
  private static final String NINE_DIGITS = MAILBOX.hex().substring(0, 9);

  @TempDir private Path directory;

  private final List<String> secrets = new ArrayList<>();
  private final List<String> digests = new ArrayList<>();

  private RendezvousDoor door() {
    return DoorFixture.door(
        DoorFixture.settings(Map.of()),
        new JpaRendezvousStore(DATABASE.transactions()),
        new TestTime());
  }

  /** Calls every administrative method, and makes a request with each token. */
  private RendezvousDoor use() {
    RendezvousDoor door = door();
    secrets.add(door.firstToken().orElseThrow());
    RunningDoor.provideToken(door.firstToken(), new OwnersFile(directory, "rendezvous.token"));
    Issued made =
        door.add(
            SampleCallers.OPERATOR, MAILBOX, Set.of(Right.POST), Duration.ofDays(1), "for Ann");
    Issued rotated = door.rotate(SampleCallers.OPERATOR, made.stored().id(), Duration.ofMinutes(1));
    door.remove(SampleCallers.OPERATOR, made.stored().id());
    secrets.add(made.token());
    secrets.add(rotated.token());
    digests.add(made.stored().digest());
    digests.add(rotated.stored().digest());
    for (String token : secrets) {
      door.admit(new AccessRequest(MAILBOX, Right.POST, null, token, false));
      door.admit(new AccessRequest(MAILBOX, Right.GET, null, token + "x", true));
    }
    assertTrue(made.toString().contains(made.stored().id()));
    assertClean(List.of(made.toString(), rotated.toString(), made.stored().toString()));
    return door;
  }

  private void assertClean(List<String> texts) {
    for (String text : texts) {
      secrets.forEach(secret -> assertFalse(text.contains(secret), "a token"));
      digests.forEach(digest -> assertFalse(text.contains(digest), "a digest"));
      assertFalse(text.contains(NINE_DIGITS), text);
    }
  }

  @Test
  void noTokenAndNoWholeRecipientIsLoggedAuditedOrCounted() {
    try (Logged logged = new Logged("org.svcmailbox")) {
      RendezvousDoor door = use();
      assertFalse(logged.lines().isEmpty(), "the first token's file is said");
      assertClean(logged.lines());
      assertClean(List.of(door.metrics()));
    }
    List<AuditRow> audit =
        new JpaCapabilityStore(DATABASE.transactions()).audit(AuditFilter.ALL, 0, 100);
    assertEquals(4, audit.size(), "the first token's, and three of the operator's");
    assertClean(audit.stream().map(AuditRow::toString).toList());
    assertTrue(audit.get(1).toString().contains(MAILBOX.hex().substring(0, 8)));
  }

  @Test
  void theDatabaseHasDigestsOnly() throws SQLException {
    use();
    List<String> kept = rows();
    assertEquals(2, kept.size());
    for (String row : kept) {
      secrets.forEach(secret -> assertFalse(row.contains(secret), "a token"));
    }
    assertTrue(secrets.get(0).getBytes(StandardCharsets.US_ASCII).length >= 43, "256 bits");
  }

  private static List<String> rows() throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DATABASE.source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("select * from rendezvous_token")) {
      while (found.next()) {
        StringBuilder row = new StringBuilder();
        for (int column = 1; column <= found.getMetaData().getColumnCount(); column++) {
          row.append(found.getString(column)).append('|');
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }
}
